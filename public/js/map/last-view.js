// @ts-check
// The last view of the map in this browser.

import { decodeView, encodeView } from '../state.js';
import { item } from '../storage/kept.js';

/** @typedef {import('../types').View} View */

const KEPT = 'farol.view';

/** @returns {View | null} */
export function lastView() {
  try {
    return decodeView(item(KEPT).get() ?? '');
  } catch {
    return null; // The browser refuses storage.
  }
}

/** @param {View} view */
export function keepView(view) {
  try {
    item(KEPT).set(encodeView(view));
  } catch {
    // The browser refuses storage: the next visit is like the first.
  }
}
