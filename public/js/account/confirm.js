// @ts-check
// Confirming an address with the key of a mailed link: one button, because scanners of mail follow
// links and press none. Works in any browser, signed in or not.

import { Refusal, send } from '../api.js';
import { h } from '../dom.js';
import { Form } from '../forms/form.js';
import { translate } from '../i18n.js';
import { startShell } from '../page/shell.js';
import { refreshSession, session, whenSession } from '../session.js';
import { resend } from './confirmation.js';
import { draftNotice, onward, showSheet } from './sheet.js';
import { forgetToken, mailedToken } from './token.js';
import { emailField } from './username-field.js';

const isChange = location.pathname === '/confirm-email';

async function start() {
  await startShell();
  const token = mailedToken();
  if (token) return showButton(token);
  await whenSession();
  return showSpent();
}

/** @param {string} token */
function showButton(token) {
  const form = new Form({
    fields: [],
    submit: translate('account.confirm.button'),
    symbol: 'check',
    act: async () => {
      const { body } = await send('POST', '/api/accounts/confirm', { json: { token } });
      forgetToken();
      await refreshed();
      showDone(String(body?.username ?? ''), body?.confirmed === 'email');
    },
    explain: (refusal) => {
      if (!isOfToken(refusal)) return null;
      forgetToken();
      refreshed().then(showSpent);
      return [];
    },
  });
  showSheet({ title: translate(isChange ? 'account.confirm_email.title' : 'account.confirm.title'), symbol: 'mail', lead: translate(isChange ? 'account.confirm_email.lead' : 'account.confirm.lead') },
    form.element);
}

/** @param {Refusal} refusal */
function isOfToken(refusal) {
  return refusal.kind === 'token-spent' || refusal.problem.errors?.some(({ field }) => field === 'token') === true;
}

/** Who is signed in here, as it is after the change. */
async function refreshed() {
  if (await whenSession()) await refreshSession().catch(() => null);
}

/** @param {string} username @param {boolean} isEmail */
function showDone(username, isEmail) {
  const isHere = session()?.account.username === username;
  showSheet({ title: translate(isEmail ? 'account.confirm_email.done' : 'account.confirmed.title'), symbol: 'check' },
    h('p', { class: 'lead' }, translate('account.confirm.thanks'), ' ', h('bdi', { class: 'strong' }, username), '.'),
    h('p', {}, translate(isEmail ? 'account.confirm_email.done.lead' : 'account.confirmed.lead')),
    isHere ? draftNotice() : null,
    h('div', { class: 'form-acts' }, isHere ? onward() : h('a', { class: 'button primary', href: '/sign-in' }, translate('menu.sign_in'))));
}

/** Used before, too old, or opened without its key: each has a way on. */
function showSpent() {
  const account = session()?.account;
  if (account?.confirmed && !isChange) {
    return showSheet({ title: translate('account.confirmed.title'), symbol: 'check', lead: translate('account.confirmed.before') }, h('div', { class: 'form-acts' }, onward()));
  }
  const title = translate('account.link_spent.title');
  if (isChange) {
    return showSheet({ title, symbol: 'mail', lead: translate('account.confirm_email.spent') },
      h('div', { class: 'form-acts' }, h('a', { class: 'button primary', href: '/account#profile' }, translate('menu.my_account'))));
  }
  if (account) {
    return showSheet({ title, symbol: 'mail', lead: translate('account.confirm.spent') }, h('p', { class: 'address' }, h('bdi', {}, account.email)), resend(account.email, false));
  }
  const email = emailField(translate('account.email'), null);
  const form = new Form({
    fields: [email],
    submit: translate('account.resend'),
    symbol: 'mail',
    isRepeatable: true,
    act: async (values) => {
      await send('POST', '/api/accounts/confirm/resend', { json: values });
      showSheet({ title: translate('account.sent.title'), symbol: 'mail', lead: translate('account.resent') }, resend(values.email, true));
    },
  });
  return showSheet({ title, symbol: 'mail', lead: translate('account.confirm.spent') },
    form.element, h('p', { class: 'other-ways' }, h('a', { href: '/sign-in' }, translate('menu.sign_in'))));
}

start();
