// @ts-check
// Offers and visits of the signed-in volunteer. They are read when the stream reports a change; while it is
// down, every few seconds.

import { connection, getJSON, isAbort, Outage, Refusal } from '../api.js';
import { OfferStream } from './stream.js';
import { VISITS } from './visits.js';

/** @typedef {import('./visits.js').Now} Now */

const BETWEEN = 20_000; // milliseconds between two readings without a stream
const HIDDEN = 60_000; // while the page is in the background, for notifications

export class NowReader {
  /** @param {(now: Now) => void} changed called with every answer that differs from the one before */
  constructor(changed) {
    this.changed = changed;
    this.last = '';
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isOn = false;
    this.stream = new OfferStream(() => this.read());
  }

  start() {
    if (this.isOn) return;
    this.isOn = true;
    document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'visible') this.read(); });
    connection.onRecovery(() => this.read());
    this.stream.start();
  }

  /** Reads now. */
  async read() {
    clearTimeout(this.timer);
    try {
      const now = /** @type {Now} */ (await getJSON(`${VISITS}/now`));
      const text = JSON.stringify(now);
      if (text !== this.last) {
        this.last = text;
        this.changed(now);
      }
    } catch (error) {
      // Signed out meanwhile, or no connection: the page says so elsewhere.
      if (!(error instanceof Refusal) && !(error instanceof Outage) && !isAbort(error)) throw error;
      if (error instanceof Refusal && [401, 403].includes(error.status)) {
        this.stream.stop();
        return;
      }
    }
    clearTimeout(this.timer);
    if (this.isOn && !this.stream.isLive) {
      const pause = document.visibilityState === 'visible' ? BETWEEN : HIDDEN;
      this.timer = setTimeout(() => this.read(), pause);
    }
  }
}
