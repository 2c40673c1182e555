// @ts-check
// A page that does not exist: the server's words stay, the way back is added.

import { byId, h, icon } from './dom.js';
import { translate } from './i18n.js';
import { startShell } from './page/shell.js';

async function start() {
  await startShell();
  byId('content').append(h('p', {}, h('a', { class: 'button primary', href: '/' }, icon('search'), translate('missing.search'))));
}

start();
