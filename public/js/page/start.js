// @ts-check
// The start of every page: translations, notices and service worker.

import { getAsset, getJSON, Outage, connection } from '../api.js';
import { watchDrafts } from '../drafts/waiting.js';
import { given } from '../given.js';
import { startLanguage } from '../i18n.js';
import { startNotices } from './notices.js';

/** @typedef {import('../types').Settings} Settings */

/** Loads the translations and shows the notices. */
export async function startWords() {
  await startLanguage(getAsset);
  startNotices();
  watchDrafts();
}

/** Starts the page and stores it for outages of the server. */
export async function startPage() {
  await startWords();
  keepOffline();
}

/** Stores files for offline use. Called late, so that the files of the current page load first. */
export function keepOffline() {
  if ('serviceWorker' in navigator) {
    navigator.serviceWorker.register('/service-worker.js').catch(() => {
      // The browser refuses it (private window, plain http): the page works without a service worker.
    });
  }
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
