// @ts-check
// The search among operations and shapes, as one types.

import { folded } from '../glossary/glossary.js';
import { plural, translate } from '../i18n.js';

/** The words that are looked for, and whether a text has each of them. */
export function finder(/** @type {string} */ asked) {
  const words = folded(asked).split(/\s+/).filter(Boolean);
  return { isEmpty: !words.length, finds: (/** @type {string} */ text) => words.every((word) => text.includes(word)) };
}

/** On the page of the interface; nothing on the pages of its addresses. */
export function docsSearch() {
  const box = /** @type {HTMLInputElement | null} */ (document.getElementById('docs-search'));
  const found = document.getElementById('docs-found');
  if (!box || !found) return;
  const entries = [.../** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll('.operation, .docs-shape'))].map((element) => ({
    element, text: folded(element.textContent ?? ''),
  }));
  const groups = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.docs-group, #shapes')]);
  const others = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('#begin, #clients, .docs-contents')]);
  const search = () => {
    const { isEmpty, finds } = finder(box.value);
    let count = 0;
    for (const { element, text } of entries) {
      element.hidden = !finds(text);
      if (!element.hidden) count += 1;
    }
    for (const group of groups) group.hidden = !group.querySelector('details:not([hidden])');
    for (const other of others) other.hidden = !isEmpty;
    found.textContent = isEmpty ? '' : count ? plural('docs.found', count) : translate('docs.none');
  };
  box.addEventListener('input', search);
  // Enter opens the first that was found; Escape shows all again.
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && box.value) {
      event.preventDefault();
      box.value = '';
      search();
    }
    const first = entries.find(({ element }) => !element.hidden)?.element;
    if (event.key !== 'Enter' || !box.value || !first) return;
    // Else the summary, focused now, takes the same press for its own and folds it again.
    event.preventDefault();
    first.open = true;
    first.querySelector('summary')?.focus();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    box.focus();
  });
  search();
}
