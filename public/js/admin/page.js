// @ts-check
// Admin pages: overview, accounts, deletion, imports, collections, operators, research.

import { byId, fill, h } from '../dom.js';
import { translate } from '../i18n.js';
import { late } from '../late.js';
import { guarded } from '../moderation/gate.js';
import { trouble } from '../page/trouble.js';
import { startShell } from '../shell/shell.js';
import { Accounts } from './accounts.js';
import { Collections } from './collections.js';
import { Deletion } from './deletion.js';
import { ImportPage } from './import-page.js';
import { Imports } from './imports.js';
import { Operators } from './operators.js';
import { Overview } from './overview.js';
import { Research } from './research.js';

/** @type {[string, string, new (place: HTMLElement) => unknown][]} */
const PAGES = [
  ['/admin', 'admin.overview', Overview], ['/admin/accounts', 'admin.accounts', Accounts],
  ['/admin/devices', 'admin.deletion', Deletion], ['/admin/imports', 'admin.imports', Imports],
  ['/admin/collections', 'admin.collections', Collections], ['/admin/operators', 'admin.operators', Operators],
  ['/admin/research', 'admin.research', Research],
];
/** The page that writes a mapping file, below the imports. */
const WIZARD = '/admin/imports/new';
/** The page of one import. */
const IMPORT = /^\/admin\/imports\/(\d{1,10})$/;

/** @param {string} href */
function current(href) {
  if (location.pathname === href) return 'page';
  const isBelow = location.pathname === WIZARD || IMPORT.test(location.pathname);
  return isBelow && href === '/admin/imports' ? 'true' : null;
}

async function start() {
  await startShell();
  const place = byId('content');
  guarded(place, 'admin', () => {
    const part = h('div', { class: 'order-part' });
    const tabs = h('nav', { class: 'order-tabs', 'aria-label': translate('admin.pages') },
      ...PAGES.map(([href, key]) => (
        h('a', { href, 'aria-current': current(href) }, translate(key)))));
    fill(place, h('div', { class: 'order-head' }, h('h1', { tabindex: '-1' }, translate('admin.title')), tabs), part);
    if (location.pathname === WIZARD) {
      late(import('../mapping/wizard.js')).then(({ ImportWizard }) => new ImportWizard(part),
        (error) => fill(part, h('p', { role: 'alert' }, trouble(error))));
      return;
    }
    const number = IMPORT.exec(location.pathname)?.[1];
    if (number) {
      new ImportPage(part, Number(number));
      return;
    }
    const Part = PAGES.find(([href]) => href === location.pathname)?.[2] ?? Overview;
    new Part(part);
  });
}

start();
