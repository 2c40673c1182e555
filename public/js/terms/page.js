// @ts-check
// The page of the terms and the privacy notice.

import { byId, fill, h } from '../dom.js';
import { translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { startShell } from '../shell/shell.js';
import { loadTerms, termsBody } from './text.js';

async function start() {
  await startShell();
  document.title = `${translate('terms.title')} · ${instanceName()}`;
  fill(byId('content'), h('h1', {}, translate('terms.title')), ...termsBody(await loadTerms(), 'h2'));
  // The page was still empty when the browser looked for the fragment.
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

start();
