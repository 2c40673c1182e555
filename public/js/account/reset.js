// @ts-check
// Page that sets a new password with the token from the link in an e-mail.

import { send } from '../api.js';
import { h } from '../dom.js';
import { Form } from '../forms/form.js';
import { translate } from '../i18n.js';
import { refreshSession, session, whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { newPasswordField } from './new-password.js';
import { showRecover } from './recovery.js';
import { showSheet } from './sheet.js';
import { forgetToken, mailedToken } from './token.js';

async function start() {
  await startShell();
  const token = mailedToken();
  if (token) showForm(token);
  else showTooOld();
}

function showTooOld() {
  showRecover({ title: translate('account.link_spent.title'), lead: translate('account.reset.spent') });
}

/** @param {string} token */
function showForm(token) {
  const password = newPasswordField({ label: translate('account.new_password'), names: () => [] });
  const form = new Form({
    fields: [password],
    submit: translate('account.reset.set'),
    act: async (values) => {
      await whenSession();
      await send('POST', '/api/accounts/reset', { json: { token, password: values.password } });
      forgetToken();
      if (session()) refreshSession().catch(() => {}); // the reset ended every session, including this one
      showDone();
    },
    explain: (refusal) => {
      if (refusal.kind !== 'token-spent' && !refusal.problem.errors?.some(({ field }) => field === 'token')) {
        return null;
      }
      forgetToken();
      showTooOld();
      return [];
    },
  });
  showSheet({ title: translate('account.reset.title'), symbol: 'key', lead: translate('account.reset.lead') },
    form.element);
}

function showDone() {
  showSheet({
    title: translate('account.reset.done.title'), symbol: 'check', lead: translate('account.reset.done.lead'),
  },
    h('div', { class: 'form-acts' }, h('a', { class: 'button primary', href: '/sign-in' }, translate('menu.sign_in'))));
}

start();
