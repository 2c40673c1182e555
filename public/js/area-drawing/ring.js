// @ts-check
// The corners of an area that the user draws. Pure.

import { MOST_CORNERS, readArea } from '../local-watches/area.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {import('../types').FeatureCollection} FeatureCollection */

export const LEAST_CORNERS = 3;

/**
 * The key of the sentence that says why the corners are not an area yet; null if they are one.
 * @param {Position[]} corners
 * @returns {string | null}
 */
export function fault(corners) {
  if (corners.length < LEAST_CORNERS) return 'draw_area.few';
  return readArea({ type: 'polygon', corners }) ? null : 'draw_area.crosses';
}

/**
 * The corners with one more; the same if there is no room, or if it repeats the last one.
 * @param {Position[]} corners @param {Position} position
 * @returns {Position[]}
 */
export function withCorner(corners, [longitude, latitude]) {
  const corner = /** @type {Position} */ ([rounded(longitude), rounded(latitude)]);
  const last = corners.at(-1);
  const isSame = last && last[0] === corner[0] && last[1] === corner[1];
  return isSame || corners.length >= MOST_CORNERS ? corners : [...corners, corner];
}

/** @param {number} degrees to about ten centimetres */
function rounded(degrees) { return Math.round(degrees * 1e6) / 1e6; }

/**
 * The drawing for the layers of draft-layers.js.
 * @param {Position[]} corners
 * @returns {FeatureCollection}
 */
export function drawing(corners) {
  const feature = (/** @type {string} */ part, /** @type {any} */ geometry) => (
    /** @type {any} */ ({ type: 'Feature', properties: { part, hidden: true }, geometry }));
  const shape = corners.length >= LEAST_CORNERS
    ? { type: 'Polygon', coordinates: [[...corners, corners[0]]] } : { type: 'LineString', coordinates: corners };
  return {
    type: 'FeatureCollection',
    features: [
      ...(corners.length > 1 ? [feature('cell', shape)] : []),
      ...corners.map((corner) => feature('point', { type: 'Point', coordinates: corner })),
    ],
  };
}
