// @ts-check
// Asks why, in a dialog of its own.

import { h } from '../dom.js';
import { translate } from '../i18n.js';

/**
 * @param {string} title @param {string} yes what the button says
 * @returns {Promise<string | null>} the reason; null for none
 */
export function askReason(title, yes) {
  const opener = document.activeElement;
  return new Promise((resolve) => {
    const reason = /** @type {HTMLInputElement} */ (h('input', { type: 'text', id: 'ask-reason', maxlength: '500', required: true }));
    const dialog = /** @type {HTMLDialogElement} */ (h('dialog', { class: 'ask order', 'aria-labelledby': 'ask-title' },
      h('form', { method: 'dialog' }, h('h2', { id: 'ask-title' }, title),
        h('div', { class: 'field' }, h('label', { for: 'ask-reason' }, translate('order.reason')), reason),
        h('div', { class: 'ask-answers' },
          h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, translate('ask.no')),
          h('button', { type: 'submit', class: 'button primary', value: 'yes' }, yes)))));
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      resolve(dialog.returnValue === 'yes' ? reason.value.trim() || null : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
