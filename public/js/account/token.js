// @ts-check
// The token of a link in an e-mail. early.js removed it from the address; it leaves the page only
// in a request body.

import { item } from '../storage/kept.js';

const KEPT = 'farol.token.';

/** The token this page was opened with; null if there was none. */
export function mailedToken() {
  try {
    return item(KEPT, location.pathname).get() ?? atHand();
  } catch {
    return atHand();
  }
}

/** Forgets a token that has been used up. */
export function forgetToken() {
  delete /** @type {{farolToken?: string}} */ (globalThis).farolToken;
  try {
    item(KEPT, location.pathname).remove();
  } catch {
    // storage is blocked, so no token was stored
  }
}

/** @returns {string | null} */
function atHand() {
  return /** @type {{farolToken?: string}} */ (globalThis).farolToken ?? null;
}

// The user pasted the link of another e-mail into the same tab.
addEventListener('hashchange', () => { if (location.hash.startsWith('#token=')) location.reload(); });
