// @ts-check
// Creates elements. Text is always inserted as text, never as markup.

/** @typedef {Node | string | null | undefined | false} Child */
/** @typedef {string | number | boolean | null | undefined | ((event: any) => unknown)} Value */
/** @typedef {Record<string, Value>} Attributes names and values; a function is a listener, such as `onclick` */

/**
 * An element with attributes, listeners and children.
 * @param {string} tag
 * @param {Attributes} [attributes] `null`, `undefined` and `false` are left out
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * Draws the content of an element again and unfolds what the reader had unfolded. A `details` is recognised by its
 * place within its section.
 * @param {Element} element
 * @param {() => void} draw
 */
export function keepUnfolded(element, draw) {
  const unfolded = new Set([...folds(element)].filter(([, details]) => details.open).map(([place]) => place));
  draw();
  for (const [place, details] of folds(element)) if (unfolded.has(place)) details.open = true;
}

/** @param {Element} element @returns {Map<string, HTMLDetailsElement>} each `details` by its place */
function folds(element) {
  /** @type {Map<string, HTMLDetailsElement>} */
  const found = new Map();
  for (const details of element.querySelectorAll('details')) {
    const section = details.closest('[aria-labelledby]')?.getAttribute('aria-labelledby') ?? '';
    let number = 0;
    while (found.has(`${section} ${number}`)) number += 1;
    found.set(`${section} ${number}`, details);
  }
  return found;
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function nodes(children) {
  /** @type {(Node | string)[]} */
  const kept = [];
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) kept.push(child);
  }
  return kept;
}

/**
 * A symbol in the colour of the surrounding text, hidden from screen readers.
 * @param {string} name file name without its ending
 * @param {'interface' | 'category'} [family]
 */
export function icon(name, family = 'interface') {
  // The server generates the style sheet with all symbols from the files in `icons/`.
  return h('span', { class: 'icon', 'aria-hidden': 'true', 'data-icon': `${family}/${name}` });
}

/**
 * The element with an id.
 * @param {string} id
 * @returns {HTMLElement}
 * @throws if the page has no such element
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}`);
  return element;
}

/**
 * A button with a symbol only, and a label for screen readers.
 * @param {string} name the symbol
 * @param {string} label
 * @param {Attributes} [attributes]
 */
export function iconButton(name, label, attributes = {}) {
  return h('button', {
    type: 'button', 'aria-label': label, title: label, ...attributes,
    class: `icon-button ${attributes.class ?? ''}`.trim(),
  }, icon(name));
}

/** Whether the user prefers reduced motion. */
export function prefersStillness() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
