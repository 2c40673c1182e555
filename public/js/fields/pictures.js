// @ts-check
// The picture of a term: the drawing of a category, or a symbol.

import { h, icon } from '../dom.js';
import { fileAddress } from '../files.js';
import { categoryIcon, term } from '../taxonomies.js';
import { svg } from './svg.js';

const sprite = fileAddress('vendor/term-icons.svg');

/**
 * A symbol in the current text colour, hidden from screen readers.
 * @param {string} name key of icons/interface.json
 */
function symbol(name) {
  const drawing = svg('svg', { class: 'picture', 'aria-hidden': 'true', focusable: 'false' },
    svg('use', { href: `${sprite}#${name}` }));
  return /** @type {HTMLElement} */ (/** @type {unknown} */ (drawing));
}

/**
 * The picture of a term; null if the taxonomy names none.
 * @param {string} schemeName @param {string} code @returns {HTMLElement | null}
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

/** Picture for «I do not know». */
export function unknownPicture() {
  return h('span', { class: 'picture picture-unknown', 'aria-hidden': 'true' }, '?');
}
