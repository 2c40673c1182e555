// @ts-check
// Search among operations and schemas while typing.

import { folded } from '../glossary/glossary.js';
import { plural, translate } from '../i18n.js';

/** Splits a query into words, and checks whether a text contains all of them. */
function finder(/** @type {string} */ asked) {
  const words = folded(asked).split(/\s+/).filter(Boolean);
  return { isEmpty: !words.length, finds: (/** @type {string} */ text) => words.every((word) => text.includes(word)) };
}

/** Adds the search to the API documentation. Has no effect on pages without it. */
export function docsSearch() {
  const box = /** @type {HTMLInputElement | null} */ (document.getElementById('docs-search'));
  const found = document.getElementById('docs-found');
  if (!box || !found) return;
  const entries = [
    .../** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll('.operation, .docs-shape')),
  ].map((element) => ({
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
  // Enter opens the first result. Escape shows all entries again.
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && box.value) {
      event.preventDefault();
      box.value = '';
      search();
    }
    const first = entries.find(({ element }) => !element.hidden)?.element;
    if (event.key !== 'Enter' || !box.value || !first) return;
    // Otherwise the newly focused summary would handle the same key press and close again.
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
