// @ts-check
// Page for creating an account.

import { Outage, Refusal, send } from '../api.js';
import { h } from '../dom.js';
import { checkField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { language, translate } from '../i18n.js';
import { whySignIn } from '../page/why-sign-in.js';
import { onSession, refreshSession, session, signIn, whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { termsInPlace } from '../terms/text.js';
import { resend } from './confirmation.js';
import { newPasswordField } from './new-password.js';
import { sentDrafts } from './sent-drafts.js';
import { continueLink, draftNotice, otherWays, returnPath, showSheet, withReturnPath } from './sheet.js';
import { showSignedIn } from './signed-in.js';
import { emailField, usernameField } from './username-field.js';

const LOOK_AGAIN = 15_000; // milliseconds between checks whether the link was opened, on this or another device

async function start() {
  await startShell();
  const now = await whenSession();
  if (now) showSignedIn(now, showForm);
  else showForm();
}

function showForm() {
  const username = usernameField();
  const email = emailField(translate('account.email'), translate('account.email.note'));
  const password = newPasswordField({
    label: translate('account.password'), names: () => [username.value(), email.value()],
  });
  const terms = checkField({
    name: 'accept_terms', label: translate('account.terms.accept'), short: translate('account.terms'),
    mustBe: translate('error.terms'),
  });
  let mayHaveArrived = false;
  const form = new Form({
    fields: [username, email, password, terms],
    body: [username.element, email.element, password.element, termsInPlace(), terms.element],
    submit: translate('menu.sign_up'),
    isRepeatable: true,
    act: async (values) => {
      try {
        await send('POST', '/api/accounts', { json: { ...values, locale: language() } });
      } catch (error) {
        if (error instanceof Outage) mayHaveArrived = true;
        // The response to an earlier attempt was lost, so the name may belong to this new account.
        const isOwn = mayHaveArrived && error instanceof Refusal && error.kind === 'username-taken'
          && await enter(values);
        if (!isOwn) throw error;
      }
      if (!session()) await enter(values);
      showDone(values.email);
    },
    explain: (refusal) => (refusal.kind === 'username-taken'
      ? [{
        field: username,
        words: [refusal.message, ' ', h('a', { href: withReturnPath('/recover') }, translate('account.recover.link'))],
      }] : null),
  });
  const why = whySignIn(returnPath());
  showSheet({
    title: translate('account.sign_up.title'), symbol: 'account-new', lead: translate(why ?? 'account.sign_up.lead'),
  },
    draftNotice(), form.element, otherWays(['/sign-in', translate('account.have_one')]));
}

/** @param {Record<string, string>} values @returns {Promise<boolean>} whether signing in succeeded */
async function enter({ username, password }) {
  try {
    await signIn({ login: username, password });
    return true;
  } catch (error) {
    if (error instanceof Refusal || error instanceof Outage) return false;
    throw error;
  }
}

/**
 * Shown after signing up. As a rule the user is signed in, but the address is not confirmed yet.
 * @param {string} email
 */
function showDone(email) {
  const isIn = session() !== null;
  showSheet({ title: translate('account.sent.title'), symbol: 'mail', lead: translate('account.sent.lead') },
    h('p', { class: 'address' }, h('bdi', {}, email)),
    h('ul', { class: 'points' },
      h('li', {}, translate('account.sent.button')),
      h('li', {}, translate('account.sent.spam')),
      h('li', {}, translate('account.sent.already'), ' ',
        h('a', { href: '/recover' }, translate('account.recover.link'))),
      isIn && h('li', {}, translate('account.sent.mistyped'), ' ',
        h('a', { href: '/account#profile' }, translate('account.sent.change')))),
    draftNotice(),
    resend(email, true),
    h('div', { class: 'form-acts' }, isIn
      ? continueLink()
      : h('a', { class: 'button primary', href: withReturnPath('/sign-in') }, translate('menu.sign_in'))));
  if (isIn) watchForConfirmation();
}

/** Detects that the link was opened in another tab or on another device. */
function watchForConfirmation() {
  const sent = sentDrafts();
  const look = () => { if (document.visibilityState === 'visible') refreshSession().catch(() => {}); };
  const looking = setInterval(look, LOOK_AGAIN);
  const end = onSession((now) => {
    if (now && !now.account.confirmed) return;
    end();
    clearInterval(looking);
    document.removeEventListener('visibilitychange', look);
    if (now) showConfirmed(sent);
    else showForm();
  });
  document.addEventListener('visibilitychange', look);
}

/** @param {ReturnType<typeof sentDrafts>} sent */
function showConfirmed(sent) {
  showSheet({ title: translate('account.confirmed.title'), symbol: 'check', lead: translate('account.confirmed.lead') },
    sent?.element ?? h('div', { class: 'form-acts' }, continueLink()));
  sent?.send().catch(() => undefined);
}

start();
