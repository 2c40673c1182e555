// @ts-check
// Proves control of an organisation’s domain or contact with the key from a mailed link. It needs a click on a button,
// because mail scanners follow links but do not press buttons.

import { showSheet } from '../account/sheet.js';
import { forgetToken, mailedToken } from '../account/token.js';
import { send } from '../api.js';
import { h } from '../dom.js';
import { Form } from '../forms/form.js';
import { translate } from '../i18n.js';
import { startShell } from '../shell/shell.js';

/** @param {string} key */
const onward = (key) => h('div', { class: 'form-acts' },
  h('a', { class: 'button primary', href: '/operators/register' }, translate(key)));

function showSpent() {
  forgetToken();
  showSheet({ title: translate('account.link_spent.title'), symbol: 'mail', lead: translate('check.spent') },
    onward('organisation.mine'));
}

/** @param {string} token */
function showButton(token) {
  const form = new Form({
    fields: [],
    submit: translate('check.button'),
    symbol: 'check',
    act: async () => {
      const { body } = await send('POST', '/api/operators/check', { json: { token } });
      forgetToken();
      const key = body.confirmed === 'contact' ? 'check.done.contact' : 'check.done';
      showSheet({ title: translate(key), symbol: 'check', lead: translate(`${key}.lead`) },
        onward('organisation.mine'));
    },
    explain: (refusal) => {
      if (refusal.kind !== 'token-spent' && refusal.status !== 404
        && !refusal.problem.errors?.some(({ field }) => field === 'token')) return null;
      showSpent();
      return [];
    },
  });
  showSheet({ title: translate('check.title'), symbol: 'shield', lead: translate('check.lead') }, form.element);
}

startShell().then(() => {
  const token = mailedToken();
  if (token) showButton(token);
  else showSpent();
});
