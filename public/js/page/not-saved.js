// @ts-check
// The service worker answers with the map page for a page that this browser has not stored. This says so, and loads
// the right page when the connection is back.

import { connection } from '../api.js';
import { h, icon } from '../dom.js';
import { fileAddress } from '../files.js';
import { translate } from '../i18n.js';
import { instanceName } from './brand.js';

export function showNotSaved() {
  const title = h('h1', { tabindex: '-1' }, translate('offline.page'));
  document.title = `${translate('offline.page')} · ${instanceName()}`;
  document.head.append(h('link', { rel: 'stylesheet', href: fileAddress('css/page.css') }));
  document.body.classList.replace('map-page', 'page');
  document.body.replaceChildren(h('main', { id: 'content' }, h('div', { class: 'refusal' },
    h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon('offline')), title,
    h('p', { role: 'status' }, translate('outage')), h('p', {}, translate('offline.page.why')),
    h('a', { class: 'button primary', href: '/' }, icon('map'), translate('account.to_map')))));
  title.focus();
  connection.reportOutage();
  connection.recovered().then(() => location.reload());
}
