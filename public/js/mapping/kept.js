// @ts-check
// Keeps the choices about a list in this tab, so that they survive a reload. The file itself is not stored: the
// browser asks for it again.

import { item } from '../storage/kept.js';
import { noChoices } from './choices.js';

/** @typedef {import('./choices.js').Choices} Choices */
/** @typedef {{file: string, columns: string[], choices: Choices}} Kept */

const KEPT = 'farol.mapping';

/** @returns {Kept | null} */
export function keptChoices() {
  try {
    const kept = JSON.parse(item(KEPT).get() ?? 'null');
    return kept ? { ...kept, choices: { ...noChoices(), ...kept.choices } } : null;
  } catch {
    return null; // Storage is not available, or an older version stored another format.
  }
}

/** @param {Kept} kept */
export function keepChoices(kept) {
  try {
    item(KEPT).set(JSON.stringify(kept));
  } catch {
    // Storage is not available or full: after a reload the reader starts again.
  }
}

export function forgetChoices() {
  try {
    item(KEPT).remove();
  } catch {
    // Without storage, the page keeps no choices.
  }
}

/**
 * Whether kept choices are about a list with these columns.
 * @param {Kept | null} kept @param {string[]} columns
 * @returns {kept is Kept}
 */
export function isAbout(kept, columns) {
  return kept !== null && kept.columns.length === columns.length
    && kept.columns.every((column, place) => column === columns[place]);
}
