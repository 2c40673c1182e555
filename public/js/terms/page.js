// @ts-check
// The terms and the privacy notice, as a page of their own.

import { byId, fill, h } from '../dom.js';
import { translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { startShell } from '../page/shell.js';
import { loadTerms, termsBody } from './text.js';

async function start() {
  await startShell();
  document.title = `${translate('terms.title')} · ${instanceName()}`;
  fill(byId('content'), h('h1', {}, translate('terms.title')), ...termsBody(await loadTerms(), 'h2'));
  // The page was empty when the browser looked for the place.
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

start();
