// @ts-check
// Places by their id.

import { getJSON } from './api.js';
import { language } from './i18n.js';

/** @typedef {import('./types').Place} Place */

/** @type {Map<string, Promise<Place | null>>} */
const asked = new Map();

/**
 * Finds a place by its id. Null if the server does not know the id, as after a new set-up, or does not respond.
 * @param {string} id @returns {Promise<Place | null>}
 */
export function placeOf(id) {
  const known = asked.get(id);
  if (known) return known;
  const answer = getJSON(`/api/places?id=${id}&lang=${language()}`)
    .then((found) => found.places?.[0] ?? null, () => { asked.delete(id); return null; });
  asked.set(id, answer);
  return answer;
}
