// @ts-check
// The start of every page: translations, notices and service worker.

import { getAsset, getJSON, Outage, connection, requestToStore } from '../api.js';
import { watchDrafts } from '../drafts/waiting.js';
import { given } from '../given.js';
import { allWords, startLanguage } from '../i18n.js';
import { startNotices } from './notices.js';
import { keepTyped } from './typed.js';

/** @typedef {import('../types').Settings} Settings */

const LATE = 5_000; // milliseconds until the page is complete on a slow line

/** Loads the translations and shows the notices. */
export async function startWords() {
  await startLanguage(getAsset);
  startNotices();
  keepTyped();
  watchDrafts();
}

/** Starts the page and stores it for outages of the server. */
export async function startPage() {
  await startWords();
  keepOffline();
  restOfWords(LATE);
}

/**
 * Loads the words that the first view does not need. If this fails, the module that needs them tries again.
 * @param {number} delay milliseconds, so that visible content loads first
 */
export function restOfWords(delay) {
  setTimeout(() => { allWords().catch(() => undefined); }, delay);
}

/** Responses of this page that a reader needs offline. */
const NEEDED =
  /^\/api\/(settings|taxonomies|tiles\/devices\.json|collections\/devices\/items|places\/nearest|statistics)/;
const MOST = 40; // requests that are repeated

/**
 * Stores files for offline use. Called late, so that the files of the current page load first.
 * @param {() => string[]} [more] tiles in view
 */
export function keepOffline(more = () => []) {
  if (!('serviceWorker' in navigator)) return;
  const isFirst = navigator.serviceWorker.controller === null;
  navigator.serviceWorker.register('/service-worker.js').then(() => {
    if (isFirst) navigator.serviceWorker.addEventListener('controllerchange', () => repeat(more()), { once: true });
  }).catch(() => {
    // The browser refuses it (private window, plain http): the page works without a service worker.
  });
}

/**
 * Repeats the requests of the first visit, which the service worker did not see. Most answers come from the browser’s
 * own cache.
 * @param {string[]} more
 */
async function repeat(more) {
  const asked = performance.getEntriesByType('resource').map(({ name }) => new URL(name, location.origin))
    .filter((url) => url.origin === location.origin && NEEDED.test(url.pathname)).map(({ href }) => href);
  for (const address of [...new Set(asked)].slice(-MOST)) await requestToStore(address, false);
  for (const address of more) await requestToStore(address, true);
}

/**
 * Repeats a request until there is a response, for data that a page requires.
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function untilAnswered(path) {
  for (;;) {
    try {
      return await getJSON(path);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      await connection.recovered();
    }
  }
}

/** @returns {Promise<Settings>} */
export async function settings() {
  return given('/api/settings') ?? untilAnswered('/api/settings');
}

/**
 * The description of the device tiles; empty if it cannot be loaded.
 * @returns {Promise<{maxzoom?: number, attribution?: string}>}
 */
export async function deviceTiles() {
  return given('/api/tiles/devices.json') ?? getJSON('/api/tiles/devices.json').catch(() => ({}));
}
