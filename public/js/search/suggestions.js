// @ts-check
// The meanings of a search text: coordinates, a category, a place, a device. Pure functions.

import { parseCoordinates } from '../places/coordinates.js';

/** @typedef {import('../taxonomies.js').Term} Term */
/** @typedef {import('../types').DeviceFeature} DeviceFeature */
/**
 * @typedef {{kind: 'position', longitude: number, latitude: number}
 *   | {kind: 'category', term: Term}
 *   | {kind: 'place', place: Place}
 *   | {kind: 'device', feature: DeviceFeature}
 *   | {kind: 'words', words: string}} Suggestion
 */
/** @typedef {import('../types').Place} Place */

/**
 * Text without case and diacritics, so that «camara» finds «Câmara».
 * @param {string} text
 */
export function folded(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** Word separators: «number-plate» is two words. */
const APART = /[\s_()/-]+/;

/**
 * Categories with words that start with the typed text; all categories if it is empty.
 * @param {string} typed @param {Iterable<Term>} terms @param {number} [limit]
 */
export function matchingCategories(typed, terms, limit = 4) {
  const words = folded(typed).split(APART).filter(Boolean);
  if (!words.length && typed.trim()) return [];
  const matches = [...terms].filter((term) => {
    const own = folded(`${term.label} ${term.plural ?? ''} ${term.code}`).split(APART);
    return words.every((word) => own.some((candidate) => candidate.startsWith(word)));
  });
  return matches.slice(0, limit);
}

/**
 * All suggestions, in the order of the list.
 * @param {string} typed
 * @param {{categories: Term[], places: Place[], devices: DeviceFeature[]}} found
 * @returns {Suggestion[]}
 */
export function suggestions(typed, { categories, places, devices }) {
  const words = typed.trim();
  /** @type {Suggestion[]} */
  const all = [];
  const position = parseCoordinates(words);
  if (position) all.push({ kind: 'position', ...position });
  for (const term of categories) all.push({ kind: 'category', term });
  for (const place of places) all.push({ kind: 'place', place });
  for (const feature of devices) all.push({ kind: 'device', feature });
  if (words && !position) all.push({ kind: 'words', words });
  return all;
}

/**
 * Region and country of a place, such as «Madeira, Portugal».
 * @param {Place} place
 */
export function placeContext(place) {
  return [place.region, place.country_name ?? place.country].filter((part) => part && part !== place.name).join(', ');
}
