// @ts-check
// The stream of changes in an area. It is open only while the page is visible: over HTTP/1.1 a browser has six
// connections for all pages of a site.

import { connection, openStream } from '../api.js';
import { boxText } from '../geography.js';
import { isWithin, widened } from './changes.js';

/** @typedef {import('../geography.js').Box} Box */

const EVENTS = ['added', 'changed', 'removed', 'reload'];
const PAUSE = 30_000; // milliseconds until another attempt after the server refused the stream

export class ChangeStream {
  /** @param {(event: string, data: any) => void} told called for each event other than `ready` */
  constructor(told) {
    this.told = told;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {Box | null} the area of the stream, wider than the view */
    this.area = null;
    this.filters = '';
    /** The number of the last change seen. */
    this.last = '';
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.close();
      else this.open();
    });
    connection.onRecovery(() => { if (!this.source) this.open(); });
  }

  /**
   * Listens to the changes of a view from now on.
   * @param {Box} box @param {URLSearchParams} filters
   */
  follow(box, filters) {
    const words = filters.toString();
    if (this.area && words === this.filters && isWithin(box, this.area)) return;
    this.area = widened(box);
    this.filters = words;
    this.close();
    this.open();
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  open() {
    if (document.hidden || !this.area || this.source) return;
    const query = new URLSearchParams(this.filters);
    query.set('bbox', boxText(this.area));
    // Without a gap to what the page has seen before.
    if (this.last) query.set('after', this.last);
    const source = openStream(`/api/live?${query}`);
    this.source = source;
    const note = (/** @type {MessageEvent} */ event) => {
      if (event.lastEventId) this.last = event.lastEventId;
    };
    source.addEventListener('ready', note);
    for (const name of EVENTS) {
      source.addEventListener(name, (event) => {
        note(event);
        this.told(name, JSON.parse(event.data));
      });
    }
    source.addEventListener('error', () => {
      // The browser connects again by itself, unless the server refused.
      if (source.readyState !== EventSource.CLOSED || this.source !== source) return;
      this.close();
      this.timer = setTimeout(() => this.open(), PAUSE);
    });
  }
}
