// @ts-check
// Notifies the page that the offers or the visits of the reader have changed. Over HTTP/1.1 a browser has six
// connections for all pages of a site, so one page has the stream and notifies the others. No message has content.

import { connection, openStream } from '../api.js';
import { VISITS } from './visits.js';

const NAME = 'farol.visits'; // of the lock and of the channel between pages
const PAUSE = 30_000; // milliseconds until another attempt after the server refused the stream

export class OfferStream {
  /** @param {() => void} told called when there may be something new, and when the stream begins or ends */
  constructor(told) {
    this.told = told;
    /** Whether changes are reported. */
    this.isLive = false;
    this.channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(NAME) : null;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isOn = false;
    this.giveUp = () => {};
  }

  start() {
    if (this.isOn) return;
    this.isOn = true;
    this.channel?.addEventListener('message', ({ data }) => this.hear(data));
    connection.onRecovery(() => { if (this.timer) this.open(); });
    if (!this.channel || !navigator.locks) {
      this.open();
      return;
    }
    this.channel.postMessage('ask');
    navigator.locks.request(NAME, () => {
      if (!this.isOn) return undefined;
      this.open();
      return new Promise((resolve) => { this.giveUp = () => resolve(undefined); });
    }).catch(() => this.open());
  }

  /** Closes the stream: the reader has no offers any more. */
  stop() {
    this.isOn = false;
    this.close();
    this.giveUp();
    this.isLive = false;
  }

  /** @param {unknown} data a message of another page */
  hear(data) {
    if (!this.isOn) return;
    if (data === 'ask') {
      if (this.source) this.channel?.postMessage(this.isLive ? 'live' : 'down');
    } else this.note(data !== 'down');
  }

  /** @param {boolean} isLive */
  note(isLive) {
    this.isLive = isLive;
    this.told();
  }

  close() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.source?.close();
    this.source = null;
  }

  open() {
    this.close();
    if (!this.isOn) return;
    const source = openStream(`${VISITS}/stream`);
    this.source = source;
    const tell = (/** @type {boolean} */ isLive) => {
      this.channel?.postMessage(isLive ? 'live' : 'down');
      this.note(isLive);
    };
    for (const name of ['ready', 'changed']) source.addEventListener(name, () => tell(true));
    source.addEventListener('error', () => {
      if (this.source !== source) return;
      if (this.isLive) tell(false);
      // The browser connects again by itself, unless the server refused.
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.open(), PAUSE);
    });
  }
}
