// @ts-check
// What scripts add to the page of the interface: its search, copying, and opening what an address names.

import { h } from '../dom.js';
import { copyButton } from '../forms/copy.js';
import { translate } from '../i18n.js';
import { startShell } from '../page/shell.js';
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

/** Unfolds what the address names. */
function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named instanceof HTMLDetailsElement) {
    named.open = true;
    named.scrollIntoView({ block: 'start' });
  }
}

start();
