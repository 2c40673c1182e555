// @ts-check
// A question over the page. The browser keeps the focus inside, Escape closes, and the focus goes back
// to where it came from.

import { h, iconButton } from '../dom.js';
import { translate } from '../i18n.js';

let count = 0;

/**
 * @typedef {object} DialogParts
 * @property {string} title
 * @property {(Node | null | false)[]} body
 * @property {Node[]} [foot] buttons
 * @property {string} [look] a further class
 * @property {() => void} [closed]
 */

/**
 * Opens a dialog; it is gone once it is closed.
 * @param {DialogParts} parts
 * @returns {{element: HTMLDialogElement, close: () => void}}
 */
export function openDialog({ title, body, foot = [], look = '', closed }) {
  count += 1;
  const id = `dialog-${count}`;
  const element = /** @type {HTMLDialogElement} */ (h('dialog', { class: `dialog ${look}`.trim(), 'aria-labelledby': id },
    h('div', { class: 'dialog-head' },
      h('h2', { id, tabindex: '-1' }, title),
      iconButton('close', translate('close'), { onclick: () => element.close() })),
    h('div', { class: 'dialog-body' }, ...body),
    foot.length > 0 && h('div', { class: 'dialog-foot' }, ...foot)));
  const opener = document.activeElement;
  element.addEventListener('click', (event) => { if (event.target === element) element.close(); });
  element.addEventListener('close', () => {
    element.remove();
    closed?.();
    if (opener instanceof HTMLElement && opener.isConnected && (document.activeElement === document.body || !document.activeElement)) opener.focus();
  });
  document.body.append(element);
  element.showModal();
  return { element, close: () => element.close() };
}
