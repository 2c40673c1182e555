// @ts-check
// The page of an error: keeps the server's text and adds a link to the map.

import { byId, h, icon } from './dom.js';
import { translate } from './i18n.js';
import { startShell } from './shell/shell.js';

async function start() {
  await startShell();
  const link = h('a', { class: 'button primary', href: '/' }, icon('search'), translate('missing.search'));
  byId('content').append(h('p', {}, link));
}

start();
