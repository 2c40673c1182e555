// @ts-check
// What a typed text may mean: a position, a category, a place, a device. Pure.

import { parseCoordinates } from '../places/coordinates.js';

/** @typedef {import('../taxonomies.js').Term} Term */
/**
 * @typedef {{kind: 'position', longitude: number, latitude: number}
 *   | {kind: 'category', term: Term}
 *   | {kind: 'place', place: Place}
 *   | {kind: 'device', feature: any}
 *   | {kind: 'words', words: string}} Suggestion
 */
/** @typedef {{id: string | number, name: string, region?: string | null, country?: string | null, country_name?: string | null, longitude: number, latitude: number, bbox?: number[]}} Place */

/**
 * Text without case and marks, so that «camara» finds «Câmara».
 * @param {string} text
 */
export function folded(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** What stands between words; «number-plate» is two. */
const APART = /[\s_()/-]+/;

/**
 * Categories whose words start like what was typed; all of them for nothing.
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
 * All suggestions in their order.
 * @param {string} typed
 * @param {{categories: Term[], places: Place[], devices: any[]}} found
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
 * «Madeira, Portugal».
 * @param {Place} place
 */
export function placeContext(place) {
  return [place.region, place.country_name ?? place.country].filter((part) => part && part !== place.name).join(', ');
}
