// @ts-check
// Sections of the account page: a titled panel, and forms that open within it.

import { fill, h } from '../dom.js';
import { translate } from '../i18n.js';
import { toast } from '../page/notices.js';

/** @typedef {import('../dom.js').Child} Child */
/** @typedef {import('../session.js').Account} Account */
/** @typedef {{id: string, title: string, element: HTMLElement, update: (account: Account) => void}} Section */

/**
 * @param {string} id the URL fragment that leads to the section
 * @param {string} title
 * @param {...Child} parts
 */
export function paper(id, title, ...parts) {
  return h('section', { class: 'paper', id, 'aria-labelledby': `${id}-title`, tabindex: '-1' },
    h('h2', { id: `${id}-title` }, title), ...parts);
}

/**
 * A button and the place below it where the opened form appears.
 * @param {{words: string, symbol?: Node | null, isDanger?: boolean, label?: string}} button
 * @param {(close: (said?: string) => void) => {element: HTMLElement, focus?: () => void}} make
 */
export function opener({ words, symbol = null, isDanger = false, label }, make) {
  const place = h('div', { class: 'opened' });
  const button = h('button', {
    type: 'button', class: `button${isDanger ? ' grave' : ''}`, 'aria-expanded': 'false', 'aria-label': label,
  }, symbol, words);
  const close = (/** @type {string} */ said = '') => {
    fill(place);
    button.hidden = false;
    button.setAttribute('aria-expanded', 'false');
    button.focus();
    if (said) toast(said);
  };
  button.addEventListener('click', () => {
    const made = make(close);
    fill(place, made.element);
    button.hidden = true;
    button.setAttribute('aria-expanded', 'true');
    if (made.focus) made.focus();
    else /** @type {HTMLElement | null} */ (made.element.querySelector('input, select, textarea, button'))?.focus();
  });
  return { button, place, close };
}

/**
 * Button that closes an opened form without saving.
 * @param {() => void} close
 */
export function cancelButton(close) {
  return h('button', { type: 'button', class: 'button', onclick: () => close() }, translate('form.cancel'));
}
