// @ts-check
// The countries where the reader may be, by time zone and language: first-visit.js knows them. early.js loads it on a
// first visit to the map page; elsewhere it is loaded here.

import { h } from './dom.js';
import { fileAddress } from './files.js';

/** @typedef {{code: string, continent?: string}} Country */
/**
 * @typedef {object} Page
 * @property {Promise<unknown>} [farolVisit] resolves when first-visit.js has run
 * @property {Country[]} [farolNearby] the most probable first; undefined after a first visit
 * @property {(zone: string) => string | undefined} [farolCountryOf]
 */

/** @returns {Promise<Page>} */
async function visited() {
  const page = /** @type {Page} */ (globalThis);
  page.farolVisit ??= new Promise((resolve) => {
    document.head.append(h('script', {
      src: fileAddress('js/first-visit.js'), onload: resolve, onerror: resolve,
    }));
  });
  await page.farolVisit;
  return page;
}

/** The countries of a first visit. */
export async function nearbyCountries() {
  return (await visited()).farolNearby ?? [];
}

/** The country of the time zone; undefined for a zone without one. */
export async function countryOfZone() {
  return (await visited()).farolCountryOf?.(Intl.DateTimeFormat().resolvedOptions().timeZone ?? '');
}
