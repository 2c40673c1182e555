// @ts-check
// A device as the exposure model sees it: where it is, how far and where it collects, which kinds of data, and how sure
// its record is. Pure.

import { uncertainty } from '../geography.js';
import { kindsOfData } from './kinds.js';
import { reachOf } from './reach.js';

/** @typedef {import('./kinds.js').Kind} Kind */
/** @typedef {import('../types').Position} Position */
/**
 * @typedef {object} Sensor
 * @property {string} id
 * @property {Position} position the public point
 * @property {string} name
 * @property {string} category
 * @property {string | null} operator
 * @property {Kind[]} kinds
 * @property {number} range metres: the reach of the category, and half a cell more where the point is coarse
 * @property {number[]} bearings degrees; empty: unknown, or all around
 * @property {number} view degrees that each direction sees; 360: all around
 * @property {number} trust 0 to 1: how sure it is that the device is there, looks at the street and still works
 * @property {boolean} isCoarse whether the point is so rough that the device is not counted as passed
 */

/** How sure it is that a device of each state is there. Other states are not on the map. */
const CONFIDENCE = Object.freeze(/** @type {Record<string, number>} */ (
  { confirmed: 1, reported: 0.8, disputed: 0.4 }));
const UNKNOWN_DIRECTION = 0.5; // a device that has a direction, but nobody knows which
const INDOORS = 0.25; // walls hide most of the street
const LEAST_FRESH = 0.25;
const YEAR = 365.25 * 86_400_000; // milliseconds
/** Metres from which on a point is too rough to say that a device was passed: a cell of 1 km or more. */
const ROUGH = 500;

/**
 * Reads a device of a list. Null if it collects nothing about people who pass.
 * @param {any} feature @param {number} now milliseconds since 1970
 * @param {(category: string) => string[]} collects what devices of a category usually collect
 * @returns {Sensor | null}
 */
export function readSensor(feature, now, collects) {
  const properties = feature?.properties ?? {};
  const position = feature?.geometry?.coordinates;
  const confidence = CONFIDENCE[properties.status] ?? 0;
  if (!isPosition(position) || !confidence || typeof properties.category !== 'string') return null;
  const { range, view } = reachOf(properties.category);
  const given = Array.isArray(properties.data_collected) ? properties.data_collected : [];
  const kinds = kindsOfData(given.length ? given : collects(properties.category));
  if (!range || !kinds.length) return null;
  const blur = uncertainty(properties.precision) ?? 0;
  const bearings = blur ? [] : numbers(properties.bearings);
  const width = fieldOfView(properties.field_of_view) ?? view ?? 360;
  const isDirected = width < 360 && !bearings.length;
  const spread = range / (range + blur);
  return {
    id: String(feature.id ?? ''), position: [position[0], position[1]], name: text(properties.name) ?? '',
    category: properties.category, operator: text(properties.operator?.name), kinds, range: range + blur,
    bearings, view: bearings.length ? width : 360,
    trust: confidence * freshness(properties.stale_on, now) * (isDirected ? UNKNOWN_DIRECTION : 1)
      * (properties.setting === 'indoor' ? INDOORS : 1) * spread * spread,
    isCoarse: blur > ROUGH,
  };
}

/**
 * 1 until the day from which a record counts as old, and half of it for each year after that.
 * @param {unknown} staleOn ISO day @param {number} now milliseconds since 1970
 */
export function freshness(staleOn, now) {
  const day = typeof staleOn === 'string' ? Date.parse(staleOn) : NaN;
  if (!(day < now)) return 1;
  return Math.max(LEAST_FRESH, 2 ** (-(now - day) / YEAR));
}

/** @param {any} value @returns {value is Position} */
function isPosition(value) {
  return Array.isArray(value) && Number.isFinite(value[0]) && Number.isFinite(value[1])
    && Math.abs(value[0]) <= 180 && Math.abs(value[1]) <= 90;
}

/** @param {unknown} value @returns {number[]} */
function numbers(value) { return Array.isArray(value) ? value.filter(Number.isFinite) : []; }

/** @param {unknown} value @returns {number | null} */
function fieldOfView(value) { return typeof value === 'number' && value > 0 && value <= 360 ? value : null; }

/** @param {unknown} value @returns {string | null} */
function text(value) { return typeof value === 'string' && value.trim() ? value.trim() : null; }
