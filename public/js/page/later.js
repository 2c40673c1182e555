// @ts-check
// A message that the next page shows.

import { allWords, translate } from '../i18n.js';
import { item } from '../storage/kept.js';
import { toast } from './notices.js';

const KEPT = 'farol.later';

/** @param {string} key of the translation */
export function laterToast(key) {
  try {
    item(KEPT).set(key);
  } catch {
    // Storage is not available: the next page shows the change itself.
  }
}

/** Shows the message from the previous page. */
export function sayLater() {
  try {
    const key = item(KEPT).get();
    item(KEPT).remove();
    // The key comes from another page, so this page may have started without its text.
    if (key) allWords().then(() => toast(translate(key)), () => undefined);
  } catch {
    // Storage is not available, so there is no message.
  }
}
