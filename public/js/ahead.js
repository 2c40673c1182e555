// @ts-check
// The first request of the map page, for the list of devices. The page imports this script first: running all others
// takes a slow phone a tenth of a second.

import { getJSON } from './api.js';
import { listPath } from './devices/list-request.js';
import { boxOfView } from './geography.js';
import { expectLanguage } from './i18n.js';
import { lastView } from './map/last-view.js';
import { expectedRoom, firstCover, paddingAt } from './map/room.js';
import { decodeState, filterCount } from './state.js';
import { expectMaplibre } from './vendor.js';

/** @typedef {{path: string, answer: Promise<import('./types').DevicePage>}} Ahead */

/**
 * The request for the list; null if its view is not known yet: on a first visit without a view in the address, or if
 * the address names a place or has a filter.
 * @type {Ahead | null}
 */
export const ahead = location.pathname === '/' ? asked() : null;

/** @returns {Ahead | null} */
function asked() {
  const state = decodeState(location.search, location.hash);
  const view = state.view ?? (state.place || filterCount(state) > 0 ? null : lastView());
  if (!view) return null;
  expectLanguage();
  const { width, height } = expectedRoom();
  const { top, bottom } = paddingAt(firstCover(state));
  const list = requested(listPath({ ...state, view }, boxOfView(view, width, Math.max(1, height - top - bottom))));
  // After the list, which it would delay on a slow line, and before the page's script, which would ask for it later by
  // the time of one round trip.
  expectMaplibre();
  expectDrawing();
  return list;
}

/**
 * Asks for the module that draws the map and all that it imports. Otherwise its imports are known only when it has
 * arrived, and the library that starts meanwhile delays them further.
 */
function expectDrawing() {
  const links = document.getElementById('map-scripts');
  if (links instanceof HTMLTemplateElement) document.head.append(links.content);
}

/**
 * Requests a list. The list handles errors.
 * @param {string} path @returns {Ahead}
 */
export function requested(path) {
  const answer = getJSON(path);
  answer.catch(() => undefined);
  return { path, answer };
}
