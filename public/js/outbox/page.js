// @ts-check
// Shared by the outboxes of a page: the clock, the user, and the events after which there may be something to send.

import { connection } from '../api.js';
import { onSession, refreshSession, session, whenSession } from '../session.js';

/** The clock and the user of this page, for an outbox. */
export const pageWorld = {
  /** @returns {Promise<import('../drafts/delivery.js').Sender>} the signed-in user, as far as known */
  sender: async () => (session() ?? await whenSession())?.account ?? null,
  /** Reads the session again, because the server did not accept it. */
  doubt: async () => { await refreshSession().catch(() => undefined); },
  now: () => Date.now(),
  after: (/** @type {() => void} */ act, /** @type {number} */ milliseconds) => setTimeout(act, milliseconds),
  stop: (/** @type {ReturnType<typeof setTimeout> | undefined} */ timer) => clearTimeout(timer),
};

/**
 * Runs an outbox whenever there may be something to send.
 * @param {{run: () => Promise<void>, wake: () => Promise<void>}} box
 */
export function keepSending(box) {
  connection.onRecovery(() => box.wake());
  addEventListener('online', () => box.wake());
  onSession((now) => { if (now?.account.confirmed) box.run(); });
  document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'visible') box.run(); });
}
