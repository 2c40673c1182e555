// @ts-check
// A device that somebody is describing and has not sent, or that waits to be sent. Pure: every change
// gives a new draft, and what a change needs from outside (time, ids, terms) is handed in.

/** @typedef {import('../geography.js').Position} Position */
/** @typedef {import('../taxonomies.js').Term} Term */
/**
 * Where a draft stands. open: being filled in · waiting: to be sent · refused: something to mend ·
 * photos: the device is on the map, its photos are on their way · sent: all is done
 * @typedef {'open' | 'waiting' | 'refused' | 'photos' | 'sent'} Stage
 */
/**
 * @typedef {object} DraftPhoto
 * @property {string} id of the picture in this browser
 * @property {string} key for sending it once
 * @property {string} alt
 * @property {'waiting' | 'sent' | 'refused'} state
 * @property {string | null} trouble why it was refused
 */
/**
 * What has been tried. `body` is fixed with the first try: the same words go again until the server
 * has answered, so that nothing is added twice.
 * @typedef {object} Attempt
 * @property {string} body JSON
 * @property {number} count tries that got no answer
 * @property {number} nextAt milliseconds since 1970
 * @property {boolean} [limited] the server has had enough of this account for now
 * @property {boolean} underway the server may have got it and not have been able to say so
 */
/** @typedef {{status: number, type: string | null, detail: string, errors: {field: string, detail: string}[], candidates: any[]}} Trouble */
/**
 * @typedef {object} Draft
 * @property {string} id
 * @property {string} key `Idempotency-Key` of the device
 * @property {number} createdAt milliseconds since 1970
 * @property {number} updatedAt
 * @property {Stage} stage
 * @property {string} step the question that was asked last
 * @property {Position | null} place where it truly is
 * @property {string | null} near the place name around, for a suggestion
 * @property {Record<string, any>} properties as the interface takes them; what is unknown is left out
 * @property {string[]} assumed properties filled in from the category that nobody has confirmed
 * @property {DraftPhoto[]} photos
 * @property {string | null} different why it is another device than those beside it
 * @property {string[]} others ids of those devices
 * @property {Attempt | null} attempt
 * @property {Trouble | null} trouble
 * @property {string | null} device its id on the map
 * @property {string | null} account whose it is, once somebody signed in has sent it
 */

/**
 * @param {{id: string, key: string, now: number}} given
 * @returns {Draft}
 */
export function newDraft({ id, key, now }) {
  return {
    id, key, createdAt: now, updatedAt: now, stage: 'open', step: 'place', place: null, near: null, properties: {}, assumed: [], photos: [],
    different: null, others: [], attempt: null, trouble: null, device: null, account: null,
  };
}

/** @param {any} value */
function isUnknown(value) {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/**
 * One property answered by a person: known, or unknown.
 * @param {Draft} draft @param {string} name @param {any} value
 * @returns {Draft}
 */
export function withAnswer(draft, name, value) {
  const { [name]: _, ...rest } = draft.properties;
  const properties = isUnknown(value) ? rest : { ...rest, [name]: value };
  return { ...draft, properties, assumed: draft.assumed.filter((other) => other !== name) };
}

/**
 * What was assumed is true: somebody looked and went on.
 * @param {Draft} draft @param {string[]} names
 * @returns {Draft}
 */
export function confirmed(draft, names) {
  return { ...draft, assumed: draft.assumed.filter((name) => !names.includes(name)) };
}

/**
 * The category, and what such devices usually do, marked as assumed. What somebody has said stays.
 * @param {Draft} draft @param {Term} category
 * @returns {Draft}
 */
export function withCategory(draft, category) {
  /** @type {Record<string, any>} */
  const properties = Object.fromEntries(Object.entries(draft.properties).filter(([name]) => !draft.assumed.includes(name)));
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
  return { ...draft, properties, assumed };
}

/**
 * @param {Draft} draft
 * @returns {string}
 */
export function precisionOf(draft) {
  return draft.properties.precision ?? 'exact';
}

/** How many steps a place may move before what was found beside it must be looked for again. */
const SAME = 1e-7;

/**
 * @param {Draft} draft @param {Position} place @param {string | null} near
 * @returns {Draft}
 */
export function withPlace(draft, place, near) {
  const moved = !draft.place || Math.abs(draft.place[0] - place[0]) > SAME || Math.abs(draft.place[1] - place[1]) > SAME;
  return { ...draft, place, near, ...(moved ? { different: null, others: [] } : {}) };
}

/**
 * The things that are needed and not there yet, as ids of questions.
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
 * «Fixed camera, Funchal»: a name to begin with.
 * @param {string} category in words @param {string | null} near
 */
export function suggestedName(category, near) {
  const name = near ? `${category}, ${near}` : category;
  return [...name].slice(0, 120).join('');
}

/**
 * What the interface takes: a GeoJSON feature at the true point.
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
      ...sent, ...(assumed.length ? { assumed } : {}), ...(draft.different ? { duplicate_reason: draft.different } : {}),
    },
  };
}

/**
 * Whether it may still be changed: not while the server may have it already.
 * @param {Draft} draft
 */
export function isEditable(draft) {
  return draft.stage === 'open' || draft.stage === 'refused' || (draft.stage === 'waiting' && !draft.attempt?.underway);
}

/**
 * Something was said of it: it is open, and the next try begins anew.
 * @param {Draft} draft @param {string} key a new one, should the last have been used
 * @returns {Draft}
 */
export function reopened(draft, key) {
  if (draft.stage === 'open' || !isEditable(draft)) return draft;
  return { ...draft, stage: 'open', key: draft.attempt || draft.trouble ? key : draft.key, attempt: null };
}
