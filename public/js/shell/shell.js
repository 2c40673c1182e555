// @ts-check
// The start of every page except the map: translations, and the bar at the top.

import { forgetOldDays } from '../diary/kept.js';
import { byId, fill, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { startWatches } from '../local-watches/start.js';
import { brand } from '../page/brand.js';
import { startPage } from '../page/start.js';
import { watchOffers } from '../visits/kept.js';
import { watchAnswers } from '../walk/kept.js';
import { menu } from './menu.js';

/** Loads the translations and draws the bar. The rest of the page belongs to the caller. */
export async function startShell() {
  await startPage();
  byId('brand').append(...brand());
  byId('menu-place').append(...menu());
  fill(byId('back'), icon('back'), translate('device.back'));
  startWatches();
  forgetOldDays();
  watchOffers();
  watchAnswers();
}
