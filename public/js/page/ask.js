// @ts-check
// A short question over the page, answered by a button; Escape answers nothing.

import { h } from '../dom.js';

let count = 0;

/**
 * @template {string} Value
 * @param {{title: string, words: string, more?: HTMLElement, answers: {value: Value, label: string, look?: 'primary' | 'grave'}[]}} question
 * @returns {Promise<Value | null>}
 */
export function ask({ title, words, more, answers }) {
  count += 1;
  const id = `ask-${count}`;
  const opener = document.activeElement;
  return new Promise((resolve) => {
    const dialog = /** @type {HTMLDialogElement} */ (h('dialog', { class: 'ask', 'aria-labelledby': id, 'aria-describedby': `${id}-words` },
      h('h2', { id }, title), h('p', { id: `${id}-words` }, words), more ?? null,
      h('div', { class: 'ask-answers' }, ...answers.map(({ value, label, look = '' }) => (
        h('button', { type: 'button', class: `button ${look}`.trim(), onclick: () => dialog.close(value) }, label))))));
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      resolve(/** @type {Value | null} */ (dialog.returnValue || null));
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
