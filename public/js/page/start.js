// @ts-check
// What every page does first: words, notices, service worker.

import { getAsset, getJSON, Outage, connection } from '../api.js';
import { given } from '../given.js';
import { startLanguage } from '../i18n.js';
import { watchDrafts } from '../add/waiting.js';
import { startNotices } from './notices.js';

/** @typedef {import('../geography.js').View} View */
/**
 * @typedef {object} TileSet
 * @property {string} tiles @property {number} min_zoom @property {number} max_zoom @property {string} attribution
 * @property {'vector' | 'raster'} format
 * @property {string | null} schema of vector tiles: one of street-schemas.js
 * @property {[number, number, number, number] | null} bounds west, south, east, north; null: the whole world
 */
/**
 * @typedef {object} Settings
 * @property {string} name
 * @property {string | null} contact
 * @property {View} view
 * @property {TileSet} base_map
 * @property {TileSet[]} streets
 * @property {{url: string, host: string, attribution: string, type: string} | null} tile_url
 * @property {{id: string, title: string, attribution: string}[]} collections drawn under the devices where somebody asks for it
 * @property {string} version
 * @property {{devices: number}} counts
 * @property {string} [licence]
 */

/** Loads the words and shows the notices. */
export async function startWords() {
  await startLanguage(getAsset);
  startNotices();
  watchDrafts();
}

/** All that a page needs, and the page kept for when the server is out of reach. */
export async function startPage() {
  await startWords();
  keepOffline();
}

/** Fetches what is to be there without the server: whatever is wanted now should have come before. */
export function keepOffline() {
  if ('serviceWorker' in navigator) {
    navigator.serviceWorker.register('/service-worker.js').catch(() => {
      // Refused by the browser (private window, plain http): the page works without.
    });
  }
}

/**
 * Asks until there is an answer: what a page cannot do without.
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
 * What the tiles of devices are, as far as the server says.
 * @returns {Promise<{maxzoom?: number, attribution?: string}>}
 */
export async function deviceTiles() {
  return given('/api/tiles/devices.json') ?? getJSON('/api/tiles/devices.json').catch(() => ({}));
}
