// @ts-check
// Requests the e-mail for setting a new password. The response is the same whether or not the
// account exists.

import { send } from '../api.js';
import { h } from '../dom.js';
import { textField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { translate } from '../i18n.js';
import { otherWays, showSheet } from './sheet.js';

/** @param {{title: string, lead: string}} [why] title and lead to show instead, after a link that has expired */
export function showRecover(why) {
  const login = textField({
    name: 'login', label: translate('account.login'), autocomplete: 'username', inputmode: 'email', most: 254,
  });
  const form = new Form({
    fields: [login],
    submit: translate('account.recover.send'),
    symbol: 'mail',
    isRepeatable: true,
    act: async (values) => {
      await send('POST', '/api/accounts/recover', { json: values });
      showSent();
    },
  });
  showSheet({
    title: why?.title ?? translate('account.recover.title'), symbol: 'key',
    lead: why?.lead ?? translate('account.recover.lead'),
  },
    form.element, otherWays(['/sign-in', translate('menu.sign_in')], ['/sign-up', translate('menu.sign_up')]));
}

function showSent() {
  showSheet({
    title: translate('account.recover.sent.title'), symbol: 'mail', lead: translate('account.recover.sent.lead'),
  },
    h('ul', { class: 'points' },
      h('li', {}, translate('account.recover.sent.hour')),
      h('li', {}, translate('account.sent.spam')),
      h('li', {}, translate('account.recover.sent.none'))),
    h('div', { class: 'form-acts' },
      h('button', { type: 'button', class: 'button', onclick: () => showRecover() },
        translate('account.recover.again'))));
}
