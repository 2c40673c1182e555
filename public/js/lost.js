// @ts-check
// A page that does not exist: the server's words stay, the way back is added.

import { byId, fill, h, icon } from './dom.js';
import { translate } from './i18n.js';
import { brand } from './page/brand.js';
import { menu } from './page/menu.js';
import { startPage } from './page/start.js';

async function start() {
  await startPage();
  byId('brand').append(...brand());
  byId('menu-place').append(...menu());
  fill(byId('back'), icon('back'), translate('device.back'));
  byId('lost').append(h('p', {}, h('a', { class: 'button primary', href: '/' }, icon('search'), translate('missing.search'))));
}

start();
