// @ts-check
// The last view of the map in this browser.

import { decodeView, encodeView } from '../state.js';

/** @typedef {import('../types').View} View */

const KEPT = 'farol.view';

/** @returns {View | null} */
export function lastView() {
  try {
    return decodeView(localStorage.getItem(KEPT) ?? '');
  } catch {
    return null; // The browser refuses storage.
  }
}

/** @param {View} view */
export function keepView(view) {
  try {
    localStorage.setItem(KEPT, encodeView(view));
  } catch {
    // The browser refuses storage: the next visit is like the first.
  }
}
