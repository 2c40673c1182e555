// @ts-check
// The picture of a term: a category's own drawing, or one of the set of symbols.

import { h, icon } from '../dom.js';
import { categoryIcon, term } from '../taxonomies.js';
import { svg } from './svg.js';

const sprite = new URL('../../vendor/term-icons.svg', import.meta.url).href;

/**
 * One symbol of the set, in the colour of the text around it; hidden from screen readers.
 * @param {string} name a key of icons/interface.json
 */
export function symbol(name) {
  const drawing = svg('svg', { class: 'picture', 'aria-hidden': 'true', focusable: 'false' }, svg('use', { href: `${sprite}#${name}` }));
  return /** @type {HTMLElement} */ (/** @type {unknown} */ (drawing));
}

/**
 * The picture of a term; none where the list of terms names none.
 * @param {string} schemeName @param {string} code
 * @returns {HTMLElement | null}
 */
export function termPicture(schemeName, code) {
  if (schemeName === 'categories') {
    const drawing = icon(categoryIcon(code), 'category');
    drawing.classList.add('picture');
    return drawing;
  }
  const named = term(schemeName, code)?.icon;
  return named && /^[a-z0-9-]+$/.test(named) ? symbol(named) : null;
}

/** What stands for «I do not know». */
export function unknownPicture() {
  return h('span', { class: 'picture picture-unknown', 'aria-hidden': 'true' }, '?');
}
