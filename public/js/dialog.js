// @ts-check
// Modal dialogs. The browser keeps the focus inside and closes a dialog on Escape. Afterwards the focus
// returns to the element that had it before. Only this file creates `<dialog>` elements.

import { h, iconButton } from './dom.js';
import { translate } from './i18n.js';

/** @typedef {import('./dom.js').Attributes} Attributes */
/** @typedef {import('./dom.js').Child} Child */
/**
 * @typedef {object} ModalOptions
 * @property {boolean} [isKept] whether the element stays in the page when it is closed, to be opened again
 * @property {boolean} [closesOutside] whether a click outside the dialog closes it
 * @property {(value: string) => void} [closed] called after each closing, with the value passed to `close`
 */
/**
 * @typedef {object} Modal
 * @property {HTMLDialogElement} element
 * @property {() => void} open
 * @property {(value?: string) => void} close
 */
/**
 * @typedef {object} DialogParts
 * @property {string} title
 * @property {(Node | null | false)[]} body
 * @property {Node[]} [foot] buttons
 * @property {string} [look] an additional class
 * @property {() => void} [closed] called after closing
 */
/**
 * Asks for one of several answers, each of which is a button.
 * @template {string} Value
 * @typedef {object} Question
 * @property {string} title
 * @property {string} words
 * @property {HTMLElement} [more] further content below the words
 * @property {{value: Value, label: string, look?: 'primary' | 'grave'}[]} answers
 */

let count = 0;

/** An id that no other dialog of the page has. */
function newId() {
  count += 1;
  return `dialog-${count}`;
}

/**
 * A dialog, not open yet. The functions below cover the usual cases.
 * @param {Attributes} attributes of the element; one of them must name the dialog for screen readers
 * @param {Child[]} children
 * @param {ModalOptions} options
 * @returns {Modal}
 */
export function modal(attributes, children, { isKept = false, closesOutside = false, closed } = {}) {
  const element = /** @type {HTMLDialogElement} */ (h('dialog', attributes, ...children));
  /** @type {Element | null} */
  let opener = null;
  if (closesOutside) element.addEventListener('click', (event) => { if (event.target === element) element.close(); });
  element.addEventListener('close', () => {
    if (!isKept) element.remove();
    closed?.(element.returnValue);
    const isFocusLost = document.activeElement === document.body || !document.activeElement;
    if (isFocusLost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
  });
  return {
    element,
    open() {
      opener = document.activeElement;
      element.returnValue = '';
      if (!element.isConnected) document.body.append(element);
      element.showModal();
    },
    close: (value = '') => element.close(value),
  };
}

/**
 * The top row of a dialog: its title and a button that closes it.
 * @param {Attributes} attributes of the heading @param {string} title @param {() => void} close
 */
export function dialogHead(attributes, title, close) {
  return h('div', { class: 'dialog-head' },
    h('h2', attributes, title),
    iconButton('close', translate('close'), { onclick: close }));
}

/**
 * Opens a dialog with a title, a body and buttons. Closing removes it from the page.
 * @param {DialogParts} parts
 * @returns {Modal}
 */
export function openDialog({ title, body, foot = [], look = '', closed }) {
  const id = newId();
  const dialog = modal({ class: `dialog ${look}`.trim(), 'aria-labelledby': id }, [
    dialogHead({ id, tabindex: '-1' }, title, () => dialog.close()),
    h('div', { class: 'dialog-body' }, ...body),
    foot.length > 0 && h('div', { class: 'dialog-foot' }, ...foot),
  ], { closesOutside: true, closed });
  dialog.open();
  return dialog;
}

/**
 * Asks the user to confirm or to choose.
 * @template {string} Value
 * @param {Question<Value>} question
 * @returns {Promise<Value | null>} the value of the chosen answer; null after Escape
 */
export function ask({ title, words, more, answers }) {
  const id = newId();
  return new Promise((resolve) => {
    const dialog = modal({ class: 'ask', 'aria-labelledby': id, 'aria-describedby': `${id}-words` }, [
      h('h2', { id }, title), h('p', { id: `${id}-words` }, words), more ?? null,
      h('div', { class: 'ask-answers' }, ...answers.map(({ value, label, look = '' }) => (
        h('button', { type: 'button', class: `button ${look}`.trim(), onclick: () => dialog.close(value) }, label)))),
    ], { closed: (value) => resolve(/** @type {Value | null} */ (value || null)) });
    dialog.open();
  });
}

/**
 * Asks the user for a line of text.
 * @param {{
 *   title: string, label: string, yes: string, no: string, longest: number, value?: string, look?: string,
 * }} question `yes` and `no` are the labels of the buttons, `longest` is in characters
 * @returns {Promise<string | null>} null if the user cancels or enters nothing
 */
export function askText({ title, label, yes, no, longest, value: given = '', look = '' }) {
  const id = newId();
  return new Promise((resolve) => {
    const input = /** @type {HTMLInputElement} */ (
      h('input', { type: 'text', id: `${id}-input`, maxlength: String(longest), required: true, value: given }));
    const dialog = modal({ class: `ask ${look}`.trim(), 'aria-labelledby': id }, [
      h('form', { method: 'dialog' }, h('h2', { id }, title),
        h('div', { class: 'field' }, h('label', { for: input.id }, label), input),
        h('div', { class: 'ask-answers' },
          h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, no),
          h('button', { type: 'submit', class: 'button primary', value: 'yes' }, yes))),
    ], { closed: (value) => resolve(value === 'yes' ? input.value.trim() || null : null) });
    dialog.open();
  });
}
