// @ts-check
// The places that this page has received, by their ids.

/** @typedef {import('./types').Place} Place */

/** @type {Map<string, Place>} */
const places = new Map();

/** @param {Place} place */
export function rememberPlace(place) {
  if (place.id) places.set(String(place.id), place);
}

/**
 * A place that is stored already.
 * @param {string} id
 */
export function storedPlace(id) { return places.get(id); }
