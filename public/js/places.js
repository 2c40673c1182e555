// @ts-check
// Places by their id.

import { getJSON } from './api.js';
import { language } from './i18n.js';
import { rememberPlace } from './known-places.js';

/** @typedef {import('./types').Place} Place */

/** @type {Map<string, Promise<Place | null>>} */
const asked = new Map();

/**
 * Finds a place by its id. Null if the server does not know the id, as after a new set-up, or does not respond.
 * @param {string} id @returns {Promise<Place | null>}
 */
export function placeOf(id) {
  const before = asked.get(id);
  if (before) return before;
  const answer = getJSON(`/api/places?id=${id}&lang=${language()}`)
    .then((found) => {
      const place = found.places?.[0] ?? null;
      if (place) rememberPlace(place);
      return place;
    }, () => { asked.delete(id); return null; });
  asked.set(id, answer);
  return answer;
}
