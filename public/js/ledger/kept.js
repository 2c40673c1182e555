// @ts-check
// Facts about the ledger in this browser that every page can read without opening it: the number of
// choices, and the first due day.

const COUNT = 'farol.choices';
const DUE = 'farol.choices.due';
const SOON = 7 * 86_400_000; // milliseconds

/** Number of choices in this browser, according to the last count. */
export function choicesKept() {
  try {
    return Number(localStorage.getItem(COUNT)) || 0;
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
    const day = localStorage.getItem(DUE);
    return day !== null && Date.parse(`${day}T00:00:00Z`) - now <= SOON;
  } catch {
    return false;
  }
}

/** @param {number} count @param {string | null} due the first due day */
export function noteKept(count, due) {
  try {
    if (count) localStorage.setItem(COUNT, String(count));
    else localStorage.removeItem(COUNT);
    if (due) localStorage.setItem(DUE, due);
    else localStorage.removeItem(DUE);
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
  const { askAboutLedger } = await import('./at-sign-out.js');
  return askAboutLedger();
}
