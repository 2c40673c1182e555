// @ts-check
// The border of a place, for maps.

import { getJSON } from '../api.js';

/** @typedef {import('../types').Place} Place */
/** @typedef {import('../types').Feature} Feature */

/**
 * The border of a place, simplified for a zoom; null if none is known or the server cannot be reached.
 * @param {Place} place @param {number} zoom
 * @returns {Promise<Feature | null>}
 */
export async function borderOf(place, zoom) {
  if (!place.bordered || !place.id) return null;
  const level = Math.max(0, Math.min(22, Math.ceil(zoom)));
  return getJSON(`/api/places/${place.id}/border?zoom=${level}`).catch(() => null);
}
