// @ts-check
// Facts about the diary in this browser that every page can read without opening it: when its first day and the whole
// of it are to be forgotten.

import { late } from '../late.js';
import { item } from '../storage/kept.js';

const KEPT = 'farol.diary';

/** @typedef {{first: string | null, last: string | null}} Ends ISO days; null: never */

/** @returns {Ends | null} null: there is no diary */
export function diaryKept() {
  try {
    const kept = JSON.parse(item(KEPT).get() ?? 'null');
    if (!kept) return null;
    const day = (/** @type {unknown} */ value) => (typeof value === 'string' ? value : null);
    return { first: day(kept.first), last: day(kept.last) };
  } catch {
    return null;
  }
}

/** @param {Ends | null} ends null: there is no diary any more */
export function noteDiary(ends) {
  try {
    if (ends) item(KEPT).set(JSON.stringify(ends));
    else item(KEPT).remove();
  } catch {
    // The browser refuses storage: the diary ends with the page.
  }
}

/** Forgets days of the diary that are over, on whatever page. */
export function forgetOldDays() {
  const first = diaryKept()?.first;
  if (!first || first > new Date().toISOString().slice(0, 10)) return;
  late(import('./store.js')).then(({ diaryStore }) => diaryStore()).then((store) => store.forget())
    .catch(() => undefined);
}

/**
 * Asks before signing out whether to keep the diary.
 * @returns {Promise<boolean>} whether to continue
 */
export async function partWithDiary() {
  if (!diaryKept()) return true;
  const { askAboutDiary } = await late(import('./at-sign-out.js'));
  return askAboutDiary();
}
