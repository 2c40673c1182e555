// @ts-check
// What every page may know of the ledger in this browser without opening it: how many choices there are,
// and the first day on which an answer is due.

const COUNT = 'farol.choices';
const DUE = 'farol.choices.due';
const SOON = 7 * 86_400_000; // milliseconds

/** How many choices this browser keeps, as last counted. */
export function choicesKept() {
  try {
    return Number(localStorage.getItem(COUNT)) || 0;
  } catch {
    return 0;
  }
}

/**
 * Whether an answer is due within a week, or late.
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

/**
 * @param {number} count @param {string | null} due the first day
 */
export function noteKept(count, due) {
  try {
    if (count) localStorage.setItem(COUNT, String(count));
    else localStorage.removeItem(COUNT);
    if (due) localStorage.setItem(DUE, due);
    else localStorage.removeItem(DUE);
  } catch {
    // storage refused: who wants to know opens the ledger
  }
}

/**
 * Before signing out: what is to become of the ledger in this browser.
 * @returns {Promise<boolean>} whether to go on
 */
export async function partWithLedger() {
  if (!choicesKept()) return true;
  const { askAboutLedger } = await import('./at-sign-out.js');
  return askAboutLedger();
}
