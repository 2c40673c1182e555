// @ts-check
// The operators that devices name, as in the API. Pure functions.

/**
 * @typedef {object} Named
 * @property {string} key
 * @property {string} name the most frequent spelling
 * @property {string} kind
 * @property {number} devices
 * @property {number} towns
 * @property {string | null} registered id of the approved organisation with this name
 */
/** @typedef {{total: number, named: number, unlisted: number, unknown: number}} Totals */
/** @typedef {{operators: Named[], count: number, devices: Totals, next: string | null}} NamedPage */
/** @typedef {{code: string, devices: number}} Count */
/** @typedef {{id: string, name: string, region: string | null, country: string | null, devices: number}} Town */
/**
 * @typedef {Named & {
 *   spellings: {name: string, devices: number}[], categories: Count[], data_collected: Count[], data_unknown: number,
 *   choices: Count[], retention_known: number, most_towns: Town[], without_town: number,
 *   bbox: import('../types').Box | null, outcomes: unknown[],
 * }} NamedDetails
 */

export const ORDERS = Object.freeze(['devices', 'towns', 'name']);

/** @param {string} key */
export const namedPath = (key) => `/operators/named/${encodeURIComponent(key)}`;

const MOST_NAMES = 20; // of an address

/**
 * The query for the devices of an operator: those with any of its spellings.
 * @param {Pick<NamedDetails, 'spellings'>} operator
 */
export function devicesQuery({ spellings }) {
  const query = new URLSearchParams();
  for (const { name } of spellings.slice(0, MOST_NAMES)) query.append('operator', name);
  return query.toString();
}

/**
 * Parts of a whole as shares from 0 to 1; an empty whole has none.
 * @param {number} part @param {number} whole
 */
export const shareOf = (part, whole) => (whole > 0 ? Math.min(1, part / whole) : null);

/**
 * The middle of a box and a zoom at which it fits in a map of the given width.
 * @param {import('../types').Box} box @param {number} width pixels
 * @returns {import('../types').View}
 */
export function viewOfBox([west, south, east, north], width) {
  const degrees = Math.max(east - west, (north - south) * 1.5, 0.01);
  const zoom = Math.log2((width * 360) / (512 * degrees)) - 0.3;
  return {
    longitude: (west + east) / 2, latitude: (south + north) / 2, zoom: Math.max(1, Math.min(14, zoom)),
  };
}
