// @ts-check
// Loaded on every page: sends waiting drafts from any open page. Loads the other modules only if
// this browser holds a draft.

import { late } from '../late.js';
import { item } from '../storage/kept.js';

const COUNT = 'farol.drafts'; // written by draft-store.js

/** Whether this browser holds drafts, according to the last count. */
export function draftsKept() {
  try {
    return Number(item(COUNT).get()) || 0;
  } catch {
    return 0;
  }
}

/**
 * Asks before signing out whether to keep the drafts in this browser.
 * @returns {Promise<boolean>} whether to continue
 */
export async function partWithDrafts() {
  if (!draftsKept()) return true;
  const { askAboutDrafts } = await late(import('./at-sign-out.js'));
  return askAboutDrafts();
}

/** Checks for drafts after the page has loaded, and again when another tab stores a draft. */
export function watchDrafts() {
  const look = () => {
    if (draftsKept()) late(import('./deliveries.js')).then(({ deliver }) => deliver()).catch(() => undefined);
  };
  setTimeout(look, 500);
  addEventListener('storage', (event) => { if (event.key === COUNT) look(); });
}
