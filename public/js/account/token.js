// @ts-check
// The key of a mailed link: early.js took it out of the address, only a request's body carries it on.

const KEPT = 'farol.token.';

/** The key this page was opened with; null without one. */
export function mailedToken() {
  try {
    return sessionStorage.getItem(KEPT + location.pathname) ?? atHand();
  } catch {
    return atHand();
  }
}

/** It is used up, or was before. */
export function forgetToken() {
  delete /** @type {any} */ (globalThis).farolToken;
  try {
    sessionStorage.removeItem(KEPT + location.pathname);
  } catch {
    // storage refused: nothing stood there
  }
}

/** @returns {string | null} */
function atHand() {
  return /** @type {any} */ (globalThis).farolToken ?? null;
}

// The link of another mail, pasted into the same tab.
addEventListener('hashchange', () => { if (location.hash.startsWith('#token=')) location.reload(); });
