// @ts-check
// The number of answers of a street walk that are not sent, for pages that then need not open the database. Sends
// them from any open page.

import { late } from '../late.js';
import { item } from '../storage/kept.js';

const COUNT = 'farol.walk';

/** The number of answers that wait in this browser, by the last count. */
export function answersKept() {
  try {
    return Number(item(COUNT).get()) || 0;
  } catch {
    return 0;
  }
}

/** @param {number} count */
export function noteAnswers(count) {
  try {
    if (count) item(COUNT).set(String(count));
    else item(COUNT).remove();
  } catch {
    // The browser refuses storage: the answers end with the page.
  }
}

/**
 * Asks before signing out whether to keep the answers in this browser.
 * @returns {Promise<boolean>} whether to continue
 */
export async function partWithAnswers() {
  if (!answersKept()) return true;
  const { askAboutAnswers } = await late(import('./at-sign-out.js'));
  return askAboutAnswers();
}

/** Checks for answers after the page has loaded. */
export function watchAnswers() {
  setTimeout(() => {
    if (answersKept()) late(import('./deliveries.js')).then(({ deliver }) => deliver()).catch(() => undefined);
  }, 700);
}
