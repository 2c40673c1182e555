// @ts-check
// Facts about the watches in this browser that every page can read without opening them.

import { late } from '../late.js';
import { item } from '../storage/kept.js';

const KEPT = 'farol.watches';

/** @typedef {{count: number, news: number, since: number}} Kept `news` since a time, in milliseconds since 1970 */

/** @returns {Kept} */
export function watchesKept() {
  try {
    const { count, news, since } = JSON.parse(item(KEPT).get() ?? '{}');
    return { count: Number(count) || 0, news: Number(news) || 0, since: Number(since) || 0 };
  } catch {
    return { count: 0, news: 0, since: 0 };
  }
}

/** @param {Kept} kept */
export function noteWatches(kept) {
  try {
    if (kept.count) item(KEPT).set(JSON.stringify(kept));
    else item(KEPT).remove();
  } catch {
    // The browser refuses storage: the watches end with the page.
  }
  dispatchEvent(new Event('farol-watches'));
}

/**
 * Asks before signing out whether to keep the watches in this browser.
 * @returns {Promise<boolean>} whether to continue
 */
export async function partWithWatches() {
  if (!watchesKept().count) return true;
  const { askAboutWatches } = await late(import('./at-sign-out.js'));
  return askAboutWatches();
}

/**
 * Adds a listener for changes of these facts, in this tab and in others.
 * @param {() => void} listener
 */
export function onWatches(listener) {
  addEventListener('farol-watches', listener);
  addEventListener('storage', (event) => { if (event.key === KEPT) listener(); });
}
