// @ts-check
// The operators that devices name, as in the API. Pure functions.

import { viewOfBox } from '../geography.js';

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
const ROOM = 40; // pixels around the outermost devices: the marker of a cluster is shown whole
const WORLD = /** @type {import('../types').Box} */ ([-170, -55, 170, 72]);

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
 * Parts of a whole as shares from 0 to 1; null for an empty whole.
 * @param {number} part @param {number} whole
 */
export const shareOf = (part, whole) => (whole > 0 ? Math.min(1, part / whole) : null);

/**
 * The view of a map with all devices of an operator.
 * @param {import('../types').Box | null} box of the devices @param {number} width pixels @param {number} height pixels
 */
export function operatorView(box, width, height) {
  return viewOfBox(box ?? WORLD, Math.max(1, width - 2 * ROOM), Math.max(1, height - 2 * ROOM), 14);
}
