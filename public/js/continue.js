// @ts-check
// The tasks of the map page after its first view is complete.

import { forgetOldDays } from './diary/kept.js';
import { followChanges } from './live/follow.js';
import { startWatches } from './local-watches/start.js';
import { keepOffline } from './page/start.js';
import { watchOffers } from './visits/kept.js';
import { watchAnswers } from './walk/kept.js';

/**
 * @param {import('./live/follow.js').Followed} page
 * @param {() => string[]} tiles addresses of the tiles in view
 */
export function continuePage(page, tiles) {
  const { store } = page;
  const listen = followChanges(page);
  store.subscribe(listen);
  listen();
  keepOffline(tiles);
  startWatches();
  forgetOldDays();
  watchOffers();
  watchAnswers();
}
