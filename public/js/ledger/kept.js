// @ts-check
// Facts about the ledger in this browser that every page can read without opening it: the number of
// choices, and the first due day.

import { late } from '../late.js';
import { item } from '../storage/kept.js';

const COUNT = 'farol.choices';
const DUE = 'farol.choices.due';
const SOON = 7 * 86_400_000; // milliseconds

/** Number of choices in this browser, according to the last count. */
export function choicesKept() {
  try {
    return Number(item(COUNT).get()) || 0;
  } catch {
    return 0;
  }
}

/**
 * Whether an answer is overdue or due within a week.
 * @param {number} [now] milliseconds since 1970
 */
export function isDueSoon(now = Date.now()) {
  try {
    const day = item(DUE).get();
    return day !== null && Date.parse(`${day}T00:00:00Z`) - now <= SOON;
  } catch {
    return false;
  }
}

/** @param {number} count @param {string | null} due the first due day */
export function noteKept(count, due) {
  try {
    if (count) item(COUNT).set(String(count));
    else item(COUNT).remove();
    if (due) item(DUE).set(due);
    else item(DUE).remove();
  } catch {
    // storage is blocked; a page that needs the number opens the ledger
  }
}

/**
 * Asks before signing out whether to keep the ledger in this browser.
 * @returns {Promise<boolean>} whether to continue
 */
export async function partWithLedger() {
  if (!choicesKept()) return true;
  const { askAboutLedger } = await late(import('./at-sign-out.js'));
  return askAboutLedger();
}
