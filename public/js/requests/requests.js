// @ts-check
// Requests for records of users, as in the API, and the actions of both parties. Pure functions.

/** The kinds of records, in the order of the page. */
export const FIELDS = /** @type {const} */ (['devices', 'edits', 'claims', 'photos']);
export const STATES = /** @type {const} */ ([
  'waiting', 'accepted', 'refused', 'lapsed', 'revoked', 'ended', 'withdrawn',
]);
/** The possible durations of access, in days. */
export const SPANS = [7, 30, 90, 180, 365];

/** @typedef {'asked' | 'asking'} Side asked: requests to the user; asking: requests by the user */
/** @typedef {'accept' | 'refuse' | 'revoke' | 'withdraw' | 'records'} Act */
/**
 * @typedef {object} Granted
 * @property {string[]} fields
 * @property {string | null} from
 * @property {string | null} to
 * @property {string | null} until
 * @property {boolean} isSubscribed
 */
/** @typedef {{at: string, fields: string[], count: number}} Look */
/**
 * @typedef {{username: string | null, organisation: string | null}} Party a person or an organisation; without a
 *   username if the request names only the organisation
 */
/**
 * @typedef {object} DataRequest
 * @property {string} id
 * @property {Party | null} from null: deleted account
 * @property {Party | null} to
 * @property {string} reason
 * @property {string[]} fields
 * @property {number | null} days requested duration
 * @property {boolean} subscribe whether the request includes records added later
 * @property {string} askedAt
 * @property {string | null} lapsesOn
 * @property {string} state
 * @property {Granted | null} granted
 * @property {string | null} note from the recipient
 * @property {Look[]} seen
 */
/**
 * @typedef {object} DataRecord
 * @property {string} field
 * @property {'confirm' | 'dispute' | null} verdict
 * @property {string | null} at
 * @property {{id: string, name: string} | null} device
 * @property {string | null} words
 */

/** @param {any} value @returns {string | null} */
const text = (value) => (typeof value === 'string' && value.trim() ? value : null);
/** @param {any} value @returns {string[]} */
const fieldsOf = (value) => FIELDS.filter((field) => Array.isArray(value) && value.includes(field));

/** @param {any} given @returns {Party | null} */
function partyOf(given) {
  const party = { username: text(given?.username), organisation: text(given?.organisation) };
  return party.username || party.organisation ? party : null;
}

/** @param {any} given @returns {DataRequest} */
export function readRequest(given) {
  const granted = given.granted ?? null;
  return {
    id: String(given.id), from: partyOf(given.from), to: partyOf(given.to), reason: text(given.reason) ?? '',
    fields: fieldsOf(given.fields),
    days: Number.isInteger(given.days) ? given.days : null, subscribe: given.subscribe === true,
    askedAt: String(given.asked_at), lapsesOn: text(given.lapses_on), state: String(given.state),
    note: text(given.note),
    granted: granted && {
      fields: fieldsOf(granted.fields), from: text(granted.from), to: text(granted.to), until: text(granted.until),
      isSubscribed: granted.subscribed === true,
    },
    seen: (Array.isArray(given.seen) ? given.seen : [])
      .map((/** @type {any} */ look) =>
        ({ at: String(look.at), fields: fieldsOf(look.fields), count: Number(look.count) || 0 })),
  };
}

/** @param {DataRequest} request @param {Side} side @returns {Act[]} */
export function actsOf({ state }, side) {
  if (state === 'waiting') return side === 'asked' ? ['accept', 'refuse'] : ['withdraw'];
  if (state === 'accepted') return side === 'asked' ? ['revoke'] : ['records', 'withdraw'];
  return [];
}

/**
 * Pending and active requests first, each group from the latest to the earliest.
 * @param {DataRequest[]} requests
 */
export function ordered(requests) {
  const rank = (/** @type {DataRequest} */ { state }) => (state === 'waiting' ? 0 : state === 'accepted' ? 1 : 2);
  return [...requests].sort((one, other) => rank(one) - rank(other) || (one.askedAt < other.askedAt ? 1 : -1));
}

/**
 * The request body for an acceptance. Empty fields set no limit.
 * @param {Record<string, any>} values
 */
export function acceptance({ fields, from, to, until, subscribe, note }) {
  return {
    accept: true, fields, until, subscribe: subscribe === true,
    ...(from && { from }), ...(to && { to }), ...(note && { note }),
  };
}

/**
 * The records of one page, each with its device and its text.
 * @param {any} given @returns {DataRecord[]}
 */
export function readRecords(given) {
  return (Array.isArray(given?.records) ? given.records : []).map((/** @type {any} */ one) => ({
    field: FIELDS.find((field) => field === one.field) ?? FIELDS[0],
    verdict: one.verdict === 'confirm' || one.verdict === 'dispute' ? one.verdict : null,
    at: text(one.at),
    device: one.device?.id ? {
      id: String(one.device.id), name: text(one.device.name) ?? '', category: text(one.device.category) ?? 'other',
    } : null,
    words: text(one.alt),
  }));
}
