// @ts-check
// Filters the glossary while the reader types.

import { folded } from '../glossary/glossary.js';
import { plural, translate } from '../i18n.js';

/** Starts the search on the glossary page. Does nothing on other pages. */
export function glossarySearch() {
  const box = /** @type {HTMLInputElement | null} */ (document.getElementById('glossary-search'));
  const found = document.getElementById('glossary-found');
  if (!box || !found) return;
  const entries = [...document.querySelectorAll('.letter dl > div')].map((element) => ({
    element: /** @type {HTMLElement} */ (element),
    name: folded(element.querySelector('dt')?.textContent ?? ''),
    text: folded([...element.querySelectorAll('dt, dd > p:first-child')].map((part) => part.textContent).join(' ')),
  }));
  const letters = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.letter')]);
  const jumps = /** @type {HTMLElement | null} */ (document.querySelector('.letters'));
  const search = () => {
    const words = folded(box.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { element, text } of entries) {
      element.hidden = !words.every((word) => text.includes(word));
      if (!element.hidden) count += 1;
    }
    for (const letter of letters) letter.hidden = !letter.querySelector('dl > div:not([hidden])');
    if (jumps) jumps.hidden = words.length > 0;
    found.textContent = !words.length ? '' : count
      ? plural('learn.glossary.found', count)
      : translate('learn.glossary.none');
  };
  box.addEventListener('input', search);
  // Enter goes to the first match; Escape shows all terms again.
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && box.value) {
      event.preventDefault();
      box.value = '';
      search();
    }
    if (event.key !== 'Enter') return;
    const words = folded(box.value);
    const best = entries.find(({ element, name }) => !element.hidden && name.startsWith(words))
      ?? entries.find(({ element }) => !element.hidden);
    if (words && best) location.hash = best.element.id;
  });
  search();
}
