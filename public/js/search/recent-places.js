// @ts-check
// The places that the user chose last in this browser. Addresses are not kept: they may be homes.

import { item } from '../storage/kept.js';

/** @typedef {import('../types').Place} Place */

const KEPT = 'farol.places';
const MOST = 5;

/** @returns {Place[]} the last one first */
export function recentPlaces() {
  try {
    const places = JSON.parse(item(KEPT).get() ?? '[]');
    return Array.isArray(places) ? places.filter((place) => Number.isFinite(place?.longitude) && place.name) : [];
  } catch {
    return []; // The browser refuses storage, or another program wrote the text.
  }
}

/** @param {Place} place */
export function keepPlace(place) {
  const others = recentPlaces().filter(({ id }) => id !== place.id);
  try {
    item(KEPT).set(JSON.stringify([place, ...others].slice(0, MOST)));
  } catch {
    // The browser refuses storage.
  }
}
