// @ts-check
// Page that confirms an e-mail address with the token from the link in an e-mail. The visitor has
// to press a button, because mail scanners follow links but press no buttons. Works in any browser,
// signed in or not.

import { Refusal, send } from '../api.js';
import { h, icon } from '../dom.js';
import { Form } from '../forms/form.js';
import { translate } from '../i18n.js';
import { refreshSession, session, whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { resend } from './confirmation.js';
import { sentDrafts } from './sent-drafts.js';
import { continueLink, showSheet } from './sheet.js';
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
  const sent = sentDrafts();
  const form = new Form({
    fields: [],
    submit: translate('account.confirm.button'),
    symbol: 'check',
    act: async () => {
      const { body } = await send('POST', '/api/accounts/confirm', { json: { token } });
      forgetToken();
      await refreshed();
      showDone(String(body?.username ?? ''), body?.confirmed === 'email', sent);
    },
    explain: (refusal) => {
      if (!isOfToken(refusal)) return null;
      forgetToken();
      refreshed().then(showSpent);
      return [];
    },
  });
  showSheet({
    title: translate(isChange ? 'account.confirm_email.title' : 'account.confirm.title'), symbol: 'mail',
    lead: translate(isChange ? 'account.confirm_email.lead' : 'account.confirm.lead'),
  },
    form.element);
}

/** @param {Refusal} refusal */
function isOfToken(refusal) {
  return refusal.kind === 'token-spent' || refusal.problem.errors?.some(({ field }) => field === 'token') === true;
}

/** Reads the session again, so that this page shows the account after the change. */
async function refreshed() {
  if (await whenSession()) await refreshSession().catch(() => null);
}

/** @param {string} username @param {boolean} isEmail @param {ReturnType<typeof sentDrafts>} sent */
function showDone(username, isEmail, sent) {
  const isHere = session()?.account.username === username;
  showSheet({ title: translate(isEmail ? 'account.confirm_email.done' : 'account.confirmed.title'), symbol: 'check' },
    h('p', { class: 'lead' }, translate('account.confirm.thanks'), ' ', h('bdi', { class: 'strong' }, username), '.'),
    h('p', {}, translate(isEmail ? 'account.confirm_email.done.lead' : 'account.confirmed.lead')),
    (isHere && sent?.element) || h('div', { class: 'form-acts' }, isHere
      ? continueLink()
      : h('a', { class: 'button primary', href: '/sign-in' }, translate('menu.sign_in')),
    h('a', { class: 'button', href: '/look' }, icon('eye'), translate('look.first'))));
  if (isHere) sent?.send().catch(() => undefined);
}

/**
 * The link was used before, has expired, or was opened without its token. Each case offers a next
 * step.
 */
function showSpent() {
  const account = session()?.account;
  if (account?.confirmed && !isChange) {
    return showSheet({
      title: translate('account.confirmed.title'), symbol: 'check', lead: translate('account.confirmed.before'),
    }, h('div', { class: 'form-acts' }, continueLink()));
  }
  const title = translate('account.link_spent.title');
  if (isChange) {
    return showSheet({ title, symbol: 'mail', lead: translate('account.confirm_email.spent') },
      h('div', { class: 'form-acts' },
        h('a', { class: 'button primary', href: '/account#profile' }, translate('menu.my_account'))));
  }
  if (account) {
    return showSheet({ title, symbol: 'mail', lead: translate('account.confirm.spent') },
      h('p', { class: 'address' }, h('bdi', {}, account.email)), resend(account.email, false));
  }
  const email = emailField(translate('account.email'), null);
  const form = new Form({
    fields: [email],
    submit: translate('account.resend'),
    symbol: 'mail',
    isRepeatable: true,
    act: async (values) => {
      await send('POST', '/api/accounts/confirm/resend', { json: values });
      showSheet({ title: translate('account.sent.title'), symbol: 'mail', lead: translate('account.resent') },
        resend(values.email, true));
    },
  });
  return showSheet({ title, symbol: 'mail', lead: translate('account.confirm.spent') },
    form.element, h('p', { class: 'other-ways' }, h('a', { href: '/sign-in' }, translate('menu.sign_in'))));
}

start();
