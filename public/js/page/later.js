// @ts-check
// A word for the next page, said once it is there.

import { translate } from '../i18n.js';
import { toast } from './notices.js';

const KEPT = 'farol.later';

/** @param {string} key of the catalogue */
export function laterToast(key) {
  try {
    sessionStorage.setItem(KEPT, key);
  } catch {
    // storage refused: the next page shows the change itself
  }
}

/** Says what the last page left to be said. */
export function sayLater() {
  try {
    const key = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    if (key) toast(translate(key));
  } catch {
    // storage refused: there is nothing to say
  }
}
