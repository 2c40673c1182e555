// @ts-check
// The meanings of a search text: coordinates, a category, a place, an address, a device. Pure functions.

import { readings } from '../places/coordinates.js';
import { isAddress } from '../places/place.js';
import { folded } from '../words.js';

/** @typedef {import('../taxonomies.js').Term} Term */
/** @typedef {import('../types').DeviceFeature} DeviceFeature */
/**
 * @typedef {{kind: 'position', longitude: number, latitude: number}
 *   | {kind: 'group', term: Term}
 *   | {kind: 'category', term: Term, word?: string}
 *   | {kind: 'meaning', group?: Term, term?: Term, place?: Place, isInstead?: boolean}
 *   | {kind: 'place', place: Place, isRecent?: boolean, isInstead?: boolean}
 *   | {kind: 'address', place: Place, isInstead?: boolean}
 *   | {kind: 'device', feature: DeviceFeature}
 *   | {kind: 'words', words: string}} Suggestion
 */
/** @typedef {import('../types').Place} Place */

/** Word separators: «number-plate» is two words. */
const APART = /[\s_()/-]+/;

/**
 * A category, and the everyday word by which it was found if that is not its name.
 * @typedef {{term: Term, word?: string}} CategoryMatch
 */

/** @param {string} text */
function wordsOf(text) { return folded(text).split(APART).filter(Boolean); }

/**
 * Whether every typed word begins a word of a name, or is its plural: «radares» finds «radar».
 * @param {string[]} typed @param {string} name
 */
function begins(typed, name) {
  const own = wordsOf(name);
  return typed.every((word) => own.some((candidate) => candidate.startsWith(word) || isPlural(word, candidate)));
}

/** @param {string} word @param {string} singular */
function isPlural(word, singular) {
  return singular.length > 2 && (word === `${singular}s` || word === `${singular}es`);
}

/**
 * Whether a text is the whole name of a term, or one of its everyday words.
 * @param {string} typed @param {Term} term
 */
function isWhole(typed, { label, plural, words = [] }) {
  const text = wordsOf(typed).join(' ');
  return [label, plural ?? '', ...words].some((name) => wordsOf(name).join(' ') === text);
}

/**
 * Categories that a text means, first those whose name matches, then those known by an everyday word: «CCTV», «speed
 * trap». All categories if the text is empty.
 * @param {string} typed @param {Iterable<Term>} terms @param {number} [limit]
 * @returns {CategoryMatch[]}
 */
export function matchingCategories(typed, terms, limit = 4) {
  const words = wordsOf(typed);
  if (!words.length && typed.trim()) return [];
  /** @type {CategoryMatch[]} */
  const named = [];
  /** @type {CategoryMatch[]} */
  const known = [];
  for (const term of terms) {
    if (begins(words, `${term.label} ${term.plural ?? ''} ${term.code}`)) named.push({ term });
    else {
      const word = (term.words ?? []).find((one) => begins(words, one));
      if (word) known.push({ term, word });
    }
  }
  return [...named, ...known].slice(0, limit);
}

/**
 * Groups of categories that a text means, such as all cameras; all groups if the text is empty.
 * @param {string} typed @param {Iterable<Term>} groups
 */
export function matchingGroups(typed, groups) {
  const words = wordsOf(typed);
  if (!words.length && typed.trim()) return [];
  return [...groups].filter(({ label, words: others = [] }) => [label, ...others].some((name) => begins(words, name)));
}

/** @param {Place} place @returns {Suggestion} */
export function placeSuggestion(place) { return { kind: isAddress(place) ? 'address' : 'place', place }; }

/**
 * All suggestions, in the order of the list.
 *
 * `meanings` are what the whole text means, such as cameras in a town. `recent` are places that the user chose before.
 * With `isInstead`, the places are the town of an address that was not found.
 * @param {string} typed
 * @param {{groups?: Term[], categories: CategoryMatch[], places: Place[], devices: DeviceFeature[],
 *   meanings?: Suggestion[], recent?: Place[], isInstead?: boolean}} found
 * @returns {Suggestion[]}
 */
export function suggestions(
  typed, { groups = [], categories, places, devices, meanings = [], recent = [], isInstead = false },
) {
  const words = typed.trim();
  /** @type {Suggestion[]} */
  const all = [...meanings];
  for (const place of recent) all.push({ kind: 'place', place, isRecent: true });
  const positions = readings(words);
  for (const position of positions) all.push({ kind: 'position', ...position });
  /** @type {Suggestion[]} */
  const kinds = [
    ...groups.map((term) => (/** @type {Suggestion} */ ({ kind: 'group', term }))),
    ...categories.map((match) => (/** @type {Suggestion} */ ({ kind: 'category', ...match }))),
  ];
  const found = places.map((place) => ({ ...placeSuggestion(place), ...(isInstead && { isInstead }) }));
  const named = devices.map((feature) => (/** @type {Suggestion} */ ({ kind: 'device', feature })));
  // «Mobile» is a town of Alabama before it is the beginning of «mobile camera».
  const isTown = places[0]?.is_exact && ![...groups, ...categories.map(({ term }) => term)]
    .some((term) => isWhole(words, term));
  // The town of an address is only better than nothing.
  const rest = isInstead ? [...named, ...found] : [...found, ...named];
  if (isTown) all.push(...found.splice(0, 1), ...kinds, ...found, ...named);
  else all.push(...kinds, ...rest);
  if (words && !positions.length) all.push({ kind: 'words', words });
  return all;
}
