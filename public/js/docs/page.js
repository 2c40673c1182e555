// @ts-check
// Scripts for the API documentation page: search, copy, and opening the section named in the URL.

import { h } from '../dom.js';
import { copyButton } from '../forms/copy.js';
import { translate } from '../i18n.js';
import { startShell } from '../shell/shell.js';
import { docsSearch } from './search.js';

async function start() {
  await startShell();
  for (const code of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.docs-code'))) {
    code.after(h('div', { class: 'docs-copy' }, copyButton(code.textContent ?? '', translate('form.copy'), code)));
  }
  docsSearch();
  addEventListener('hashchange', openNamed);
  openNamed();
}

/** Opens the section named in the URL fragment. */
function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named instanceof HTMLDetailsElement) {
    named.open = true;
    named.scrollIntoView({ block: 'start' });
  }
}

start();
