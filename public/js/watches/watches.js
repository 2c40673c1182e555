// @ts-check
// The watches of the account as the server stores them.

/**
 * @typedef {{type: 'box', bbox: number[]} | {type: 'circle', center: number[], radius: number}
 *   | {type: 'polygon', coordinates: number[][][]} | {type: 'place', place: string, name?: string}
 *   | {type: 'country', country: string} | {type: 'device', device: string}
 *   | {type: 'operator', operator: string} | {type: 'queue'}} Area
 */
/** @typedef {Record<string, string | string[]>} WatchFilter */
/**
 * @typedef {object} Watch
 * @property {string} id
 * @property {string} label
 * @property {Area} area
 * @property {WatchFilter} filter
 * @property {string[]} events
 * @property {string[]} properties
 * @property {string} mail
 * @property {number} hour
 * @property {number} weekday 1 is Monday
 * @property {string} time_zone
 * @property {boolean} paused
 * @property {string | null} failed_at
 * @property {{atom: string, json: string} | null} feed
 * @property {{url: string, secret: string, proven_at: string | null, ended_at: string | null} | null} webhook
 * @property {string} created_at
 * @property {string} ends_on
 */
/** @typedef {{watches: Watch[], maximum: number, mail_refused_at: string | null}} WatchList */

export const WATCHES = '/api/watches';
export const EVENTS = Object.freeze([
  'added', 'removed', 'changed', 'disputed', 'confirmed', 'statement', 'outcome',
]);
export const MAILS = Object.freeze(['none', 'at_once', 'daily', 'weekly']);
/** Parameters of the map’s address that select no devices, or that the area of a watch replaces. */
const OTHERS = new Set(['bbox', 'bbox-crs', 'datetime', 'place', 'device', 'spot', 'heat', 'layers', 'add', 'lang']);

/** @param {string} id */
export function addressOf(id) {
  return `${WATCHES}/${encodeURIComponent(id)}`;
}

/**
 * The filter in the address of a map or in its query.
 * @param {string} text
 * @returns {WatchFilter}
 */
export function readFilter(text) {
  const query = text.trim().replace(/^[^?]*\?/, '').replace(/#.*$/, '');
  /** @type {WatchFilter} */
  const filter = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (OTHERS.has(name) || !value) continue;
    const earlier = filter[name];
    filter[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return filter;
}

/**
 * A filter as a query.
 * @param {WatchFilter} filter
 */
export function writeFilter(filter) {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(filter)) {
    for (const value of [values].flat()) query.append(name, value);
  }
  return query.toString().replaceAll('%2C', ',');
}

/**
 * The box that a map shows around a point, in degrees, about 600 by 600 pixels of it.
 * @param {{longitude: number, latitude: number, zoom: number}} view
 * @returns {number[]} west, south, east, north
 */
export function boxAround({ longitude, latitude, zoom }) {
  const half = Math.min(180, (600 / 512) * (180 / 2 ** zoom));
  const height = half * Math.cos((latitude * Math.PI) / 180);
  const round = (/** @type {number} */ degrees) => Math.round(degrees * 1e5) / 1e5;
  const wrapped = (/** @type {number} */ degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;
  const [west, east] = half >= 180 ? [-180, 180] : [wrapped(longitude - half), wrapped(longitude + half)];
  return [west, Math.max(-90, latitude - height), east, Math.min(90, latitude + height)].map(round);
}

/**
 * The watch that the address of the page requests: `#device=ID&label=NAME`, `#operator=NAME`, `#place=ID&label=NAME`,
 * `#bbox=W,S,E,N` or `#queue=1`.
 * @param {string} hash
 * @returns {{area: Area, label: string, filter: WatchFilter} | null}
 */
export function asked(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const label = (values.get('label') ?? values.get('operator') ?? '').slice(0, 80);
  const filter = readFilter(values.get('filter') ?? '');
  const device = values.get('device');
  if (device) return { area: { type: 'device', device }, label, filter };
  const operator = values.get('operator');
  if (operator) return { area: { type: 'operator', operator }, label, filter };
  const place = values.get('place') ?? '';
  if (/^\d{1,15}$/.test(place)) return { area: { type: 'place', place, name: label }, label, filter };
  if (values.has('queue')) return { area: { type: 'queue' }, label, filter: {} };
  const bbox = (values.get('bbox') ?? '').split(',').map(Number);
  if (bbox.length === 4 && bbox.every(Number.isFinite)) return { area: { type: 'box', bbox }, label, filter };
  return null;
}
