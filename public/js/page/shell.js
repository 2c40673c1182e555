// @ts-check
// What every page but the map's begins with: the words, and the bar at the top.

import { byId, fill, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { brand } from './brand.js';
import { menu } from './menu.js';
import { startPage } from './start.js';

/** Loads the words and fills the bar; afterwards the page has the rest to itself. */
export async function startShell() {
  await startPage();
  byId('brand').append(...brand());
  byId('menu-place').append(...menu());
  fill(byId('back'), icon('back'), translate('device.back'));
}
