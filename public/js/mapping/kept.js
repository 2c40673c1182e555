// @ts-check
// Keeps the choices about a list in this tab, so that they survive a reload. The file itself is not stored: the
// browser asks for it again.

import { noChoices } from './choices.js';

/** @typedef {import('./choices.js').Choices} Choices */
/** @typedef {{file: string, columns: string[], choices: Choices}} Kept */

const KEPT = 'farol.mapping';

/** @returns {Kept | null} */
export function keptChoices() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
    return kept ? { ...kept, choices: { ...noChoices(), ...kept.choices } } : null;
  } catch {
    return null; // Storage is not available, or an older version stored another format.
  }
}

/** @param {Kept} kept */
export function keepChoices(kept) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // Storage is not available or full: after a reload the reader starts again.
  }
}

export function forgetChoices() {
  try {
    sessionStorage.removeItem(KEPT);
  } catch {
    // Nothing is kept.
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
