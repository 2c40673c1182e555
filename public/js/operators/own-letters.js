// @ts-check
// The address that receives letters to an organisation, and the confirmation of an unproven contact.

import { send } from '../api.js';
import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { trouble } from '../page/trouble.js';

/** @typedef {import('./organisation.js').Organisation} Organisation */

/** @param {Organisation} organisation */
export function lettersPart({ letters_to: to, unproven_contacts: unproven }) {
  return h('section', { class: 'paper', id: 'letters', 'aria-labelledby': 'letters-title' },
    h('h2', { id: 'letters-title' }, translate('organisation.letters.title')),
    h('p', {}, to ? translate('organisation.letters', { address: to }) : translate('organisation.letters.account')),
    ...unproven.map(confirmation));
}

/** @param {string} address */
function confirmation(address) {
  const status = h('p', { class: 'field-note', role: 'status' });
  return h('div', { class: 'stack' },
    h('p', { class: 'section-note' }, translate('organisation.letters.unproven', { address })),
    h('div', { class: 'form-acts' }, h('button', { type: 'button', class: 'button', onclick: async () => {
      status.textContent = translate('form.sending');
      try {
        await send('POST', '/api/operators/mine/check', { json: { method: 'email', address } });
        status.textContent = translate('organisation.letters.sent', { address });
      } catch (error) {
        status.textContent = trouble(error);
      }
    } }, icon('mail'), translate('organisation.letters.confirm', { address }))), status);
}
