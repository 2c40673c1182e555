// @ts-check
// Reads the feeds of cells now and then while a page is open, in one tab at a time.

import { connection, getUnnamed, Outage, Refusal } from '../api.js';
import { allTerms, scheme } from '../taxonomies.js';
import { watchesKept } from './kept.js';
import { readNews } from './news.js';
import { notify } from './notify.js';
import { watchStore } from './store.js';
import { newCount, timed, withNews } from './watch.js';

/** @typedef {import('./watch.js').Watch} Watch */

const PAUSE = 300_000; // milliseconds between two readings
const JITTER = 120_000; // so that readings of many browsers, and of one person, do not fall together
const RECENT = 60_000; // after a reading, a new page does not read again
const LOCK = 'farol-watches';

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

let isKept = false;

/** Reads now unless another page has just read, and again after each pause. A second call has no effect. */
export function keepReading() {
  if (isKept) return;
  isKept = true;
  const again = () => {
    clearTimeout(timer);
    timer = setTimeout(turn, PAUSE + Math.random() * JITTER);
  };
  const turn = () => {
    again();
    // Without a watch nothing is opened: the database may have been deleted meanwhile, and opening would create it.
    if (connection.reach === 'fine' && watchesKept().count) readOnce(false).catch(() => undefined);
  };
  connection.onRecovery(turn);
  turn();
}

/**
 * Reads the feeds once, in one tab at a time.
 * @param {boolean} isWanted whether the user pressed the button: the request then bypasses caches
 * @returns {Promise<boolean>} false if the server could not be reached
 */
export async function readOnce(isWanted) {
  const store = await watchStore();
  if (!isWanted && Date.now() - await store.checkedAt() < RECENT) return true;
  const read = async () => {
    try {
      await readAll(await store.all(), isWanted);
      await store.noteChecked(Date.now());
      await store.tell();
      return true;
    } catch (error) {
      if (error instanceof Outage || error instanceof Refusal) return false;
      throw error;
    }
  };
  if (!('locks' in navigator)) return read();
  // The user waits for another tab; the timer leaves the reading to it.
  return navigator.locks.request(LOCK, { ifAvailable: !isWanted }, (lock) => (lock ? read() : true));
}

/** @param {Watch[]} watches @param {boolean} isFresh */
async function readAll(watches, isFresh) {
  const store = await watchStore();
  if (watches.some(({ filters }) => filters.data_collected)) await scheme('data');
  let offset = 0;
  const readings = await readNews(watches, async (path) => {
    const { body, headers } = await getUnnamed(path, isFresh);
    const sent = Date.parse(headers.get('Date') ?? '');
    if (sent) offset = sent - Date.now();
    return body;
  }, shuffled);
  const context = { withDescendants, today: new Date(Date.now() + offset).toISOString().slice(0, 10) };
  for (const [id, { features, readTo, hasGap }] of readings) {
    let more = 0;
    /** @type {Watch | undefined} */
    let now;
    await store.change(id, (watch) => {
      if (watch.isPaused) return watch;
      now = withNews(timed(watch, offset), features, context);
      more = newCount(now) - newCount(watch);
      return { ...now, readTo, hasGap: watch.hasGap || hasGap };
    });
    if (now && more > 0) notify(now, more);
  }
}

/**
 * @template Item
 * @param {Item[]} items @returns {Item[]}
 */
function shuffled(items) {
  return items.map((item) => /** @type {const} */ ([Math.random(), item])).sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** @param {string} code a term of collected data @returns {string[]} with all terms below it */
function withDescendants(code) {
  const below = [...allTerms('data')?.values() ?? []].filter(({ parent }) => parent === code);
  return [code, ...below.flatMap((term) => withDescendants(term.code))];
}
