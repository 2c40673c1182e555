// @ts-check
// Draft of a device that has not been sent yet. Pure: every change returns a new draft. Values from
// outside (time, ids, terms) are parameters.

/** @typedef {import('../geography.js').Position} Position */
/** @typedef {import('../taxonomies.js').Term} Term */
/** @typedef {import('../types').DeviceProperties} DeviceProperties */
/** @typedef {import('../types').Point} Point */
/**
 * Stage of a draft. open: being filled in. waiting: in the outbox. refused: needs a correction.
 * photos: the device is on the map, its photos are being sent. sent: finished.
 * @typedef {'open' | 'waiting' | 'refused' | 'photos' | 'sent'} Stage
 */
/**
 * @typedef {object} DraftPhoto
 * @property {string} id of the picture in this browser
 * @property {string} key idempotency key of the upload
 * @property {string} alt
 * @property {'waiting' | 'sent' | 'refused'} state
 * @property {string | null} trouble reason of the refusal
 */
/**
 * State of the attempts to send a draft. `body` is fixed at the first attempt and sent unchanged
 * until the server has answered, so that nothing is added twice.
 * @typedef {object} Attempt
 * @property {string} body JSON
 * @property {number} count attempts without a response
 * @property {number} nextAt milliseconds since 1970
 * @property {boolean} [limited] whether the account has reached its rate limit
 * @property {boolean} underway the server may have received the request although no response arrived
 */
/** @typedef {DeviceProperties & {id: string, geometry: Point}} Candidate similar device at its public position */
/**
 * @typedef {object} Trouble
 * @property {number} status
 * @property {string | null} type
 * @property {string} detail
 * @property {{field: string, detail: string}[]} errors
 * @property {Candidate[]} candidates
 */
/**
 * @typedef {object} Draft
 * @property {string} id
 * @property {string} key `Idempotency-Key` of the device
 * @property {number} createdAt milliseconds since 1970
 * @property {number} updatedAt
 * @property {Stage} stage
 * @property {string} step the question shown last
 * @property {Position | null} place true position of the device
 * @property {string | null} near name of the nearest place, for the suggested name
 * @property {string} [after] id of the draft before it in a row, which is sent first
 * @property {string | null} [street] name of its street, for the suggested name of an exact position
 * @property {boolean} [isHomeKind] whether its kind is mostly found in homes: the wizard then asks early for precision
 * @property {Record<string, any>} properties as the API accepts them; unknown values are omitted
 * @property {string[]} assumed properties derived from the category and not confirmed by a person
 * @property {DraftPhoto[]} photos
 * @property {string | null} different reason why the device differs from similar devices nearby
 * @property {string[]} others ids of those devices
 * @property {Attempt | null} attempt
 * @property {Trouble | null} trouble
 * @property {string | null} device its id on the map, once added
 * @property {string | null} account id of the account that sent it
 */

/**
 * @param {{id: string, key: string, now: number}} given
 * @returns {Draft}
 */
export function newDraft({ id, key, now }) {
  return {
    id, key, createdAt: now, updatedAt: now, stage: 'open', step: 'place', place: null, near: null, properties: {},
    assumed: [], photos: [],
    different: null, others: [], attempt: null, trouble: null, device: null, account: null,
  };
}

/** The shared properties of devices along one street: the kind with its data, the operator and the notice. */
const SHARED = ['category', 'data_collected', 'operator', 'signage', 'precision', 'purposes', 'setting', 'zone'];

/**
 * A draft for one more device like another: everything except its place, name, direction and photos.
 * @param {Draft} model @param {{id: string, key: string, now: number}} given
 * @returns {Draft}
 */
export function draftLike(model, given) {
  const properties = Object.fromEntries(Object.entries(model.properties).filter(([name]) => SHARED.includes(name)));
  return {
    ...newDraft(given), after: model.id, properties, assumed: model.assumed.filter((name) => name in properties),
  };
}

/** @param {unknown} value */
function isUnknown(value) {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/**
 * Stores the answer to one property. An empty answer means unknown.
 * @param {Draft} draft
 * @param {string} name
 * @param {unknown} value
 * @returns {Draft}
 */
export function withAnswer(draft, name, value) {
  const { [name]: _, ...rest } = draft.properties;
  const properties = isUnknown(value) ? rest : { ...rest, [name]: value };
  return { ...draft, properties, assumed: draft.assumed.filter((other) => other !== name) };
}

/**
 * Confirms assumed properties after the user has seen them and continued.
 * @param {Draft} draft @param {string[]} names @returns {Draft}
 */
export function confirmed(draft, names) {
  return { ...draft, assumed: draft.assumed.filter((name) => !names.includes(name)) };
}

/**
 * Sets the category and the usual properties of that category, marked as assumed. Answers of the
 * user remain unchanged.
 * @param {Draft} draft @param {Term} category @returns {Draft}
 */
export function withCategory(draft, category) {
  /** @type {Record<string, any>} */
  const properties = Object.fromEntries(Object.entries(draft.properties)
    .filter(([name]) => !draft.assumed.includes(name)));
  const assumed = [];
  const usual = {
    data_collected: Array.isArray(category.collects) ? category.collects : [],
    operator: category.household ? { kind: 'household' } : null,
    precision: category.household ? '1km' : null,
  };
  for (const [name, value] of Object.entries(usual)) {
    if (isUnknown(value) || name in properties) continue;
    properties[name] = value;
    assumed.push(name);
  }
  properties.category = category.code;
  return { ...draft, properties, assumed, isHomeKind: category.household === true };
}

/**
 * @param {Pick<Draft, 'properties'>} draft
 * @returns {string}
 */
export function precisionOf(draft) {
  return draft.properties.precision ?? 'exact';
}

/** Degrees that a position may change before the draft needs another check for similar devices. */
const SAME = 1e-7;

/**
 * @param {Draft} draft @param {Position} place @param {string | null} near @param {string | null} [street]
 * @returns {Draft}
 */
export function withPlace(draft, place, near, street = null) {
  const moved = !draft.place || Math.abs(draft.place[0] - place[0]) > SAME
    || Math.abs(draft.place[1] - place[1]) > SAME;
  return { ...draft, place, near, street, ...(moved ? { different: null, others: [] } : {}) };
}

/**
 * Ids of the required questions without an answer.
 * @param {Draft} draft
 * @returns {string[]}
 */
export function missing(draft) {
  return [
    ...(draft.place ? [] : ['place']), ...(draft.properties.category ? [] : ['category']),
    ...((draft.properties.name ?? '').trim() ? [] : ['name']),
  ];
}

/**
 * Where the device is, for its suggested name: «Rua da Carreira, Funchal». The street would reveal a position that is
 * published less precisely.
 * @param {Draft} draft
 */
export function spotOf(draft) {
  const street = ['exact', '100m'].includes(precisionOf(draft)) ? draft.street : null;
  return [street, draft.near].filter(Boolean).join(', ') || null;
}

/**
 * Suggested name: «Fixed camera, Funchal».
 * @param {string} category label of the category
 * @param {string | null} near
 */
export function suggestedName(category, near) {
  const name = near ? `${category}, ${near}` : category;
  return [...name].slice(0, 120).join('');
}

/**
 * A changed draft with the suggested name for it, unless the user has written another one.
 * @param {Draft} before @param {Draft} after @param {string} category its label
 */
export function renamed(before, after, category) {
  const wasSuggested = before.properties.name === suggestedName(category, spotOf(before));
  return wasSuggested ? withAnswer(after, 'name', suggestedName(category, spotOf(after))) : after;
}

/**
 * Request body for the API: a GeoJSON feature at the true position.
 * @param {Draft} draft
 */
export function feature(draft) {
  const { properties, place } = draft;
  /** @type {Record<string, any>} */
  const sent = { ...properties, precision: precisionOf(draft), name: (properties.name ?? '').trim() };
  if (sent.operator?.kind === 'household') sent.operator = { kind: 'household' };
  const assumed = draft.assumed.filter((name) => name in sent && name !== 'precision');
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: (place ?? [0, 0]).map((degrees) => Math.round(degrees * 1e7) / 1e7) },
    properties: {
      ...sent, ...(assumed.length ? { assumed } : {}),
      ...(draft.different ? { duplicate_reason: draft.different } : {}),
    },
  };
}

/**
 * Whether the draft can still be changed. It cannot once the server may have received it.
 * @param {Draft} draft
 */
export function isEditable(draft) {
  return draft.stage === 'open' || draft.stage === 'refused' || (draft.stage === 'waiting' && !draft.attempt?.underway);
}

/**
 * Opens the draft again after a change, so that the next attempt starts from the beginning.
 * @param {Draft} draft
 * @param {string} key new idempotency key, because the previous key may have been used
 * @returns {Draft}
 */
export function reopened(draft, key) {
  if (draft.stage === 'open' || !isEditable(draft)) return draft;
  return { ...draft, stage: 'open', key: draft.attempt || draft.trouble ? key : draft.key, attempt: null };
}
