// @ts-check
// Builds elements. Text always goes in as text, never as markup.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * An element with attributes, listeners (`onclick` …) and children.
 * @param {string} tag
 * @param {Record<string, any>} [attributes] `null`, `undefined` and `false` are left out
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/**
 * Puts children in the place of what an element held.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
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
 * A symbol in the colour of the text around it; hidden from screen readers.
 * @param {string} name file name without its ending
 * @param {'interface' | 'category'} [family]
 */
export function icon(name, family = 'interface') {
  // The style sheet that has them all is made by the server, of the files in icons/.
  return h('span', { class: 'icon', 'aria-hidden': 'true', 'data-icon': `${family}/${name}` });
}

/**
 * The element of that id, which the page is known to have.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}`);
  return element;
}

/**
 * A button with a symbol only, and words for those who cannot see it.
 * @param {string} name the symbol
 * @param {string} label
 * @param {Record<string, any>} [attributes]
 */
export function iconButton(name, label, attributes = {}) {
  return h('button', {
    type: 'button', 'aria-label': label, title: label, ...attributes,
    class: `icon-button ${attributes.class ?? ''}`.trim(),
  }, icon(name));
}

/** Whether motion should be kept away. */
export function prefersStillness() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
