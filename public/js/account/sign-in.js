// @ts-check
// Page for signing in with a username or an e-mail address, and with a second factor where the
// account has one.

import { Refusal } from '../api.js';
import { h } from '../dom.js';
import { passwordField, textField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { translate } from '../i18n.js';
import { onSession, signIn, whenSession } from '../session.js';
import { whySignIn } from '../page/why-sign-in.js';
import { startShell } from '../shell/shell.js';
import { draftNotice, otherWays, returnPath, showSheet, withReturnPath } from './sheet.js';
import { showSignedIn } from './signed-in.js';

let isLeaving = false;

async function start() {
  await startShell();
  const now = await whenSession();
  if (now) return showSignedIn(now, showForm);
  showForm();
  // The user may sign in meanwhile in another tab.
  onSession((found) => { if (found) leave(found); });
}

function showForm() {
  const login = textField({
    name: 'login', label: translate('account.login'), autocomplete: 'username', inputmode: 'email', most: 254,
  });
  const password = passwordField({ name: 'password', label: translate('account.password') });
  const form = new Form({
    fields: [login, password],
    body: [
      login.element, password.element,
      h('p', { class: 'field-end' }, h('a', { href: withReturnPath('/recover') }, translate('account.forgotten'))),
    ],
    submit: translate('menu.sign_in'),
    isRepeatable: true,
    act: async (values) => {
      try {
        leave(await signIn({ login: values.login, password: values.password }));
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind !== 'second-factor-required') throw error;
        showCode({ login: values.login, password: values.password });
      }
    },
    explain: (refusal) => (refusal.status === 401 ? [{ field: password, words: [refusal.message] }] : null),
  });
  const why = whySignIn(returnPath());
  showSheet({ title: translate('menu.sign_in'), symbol: 'sign-in', lead: why && translate(why) },
    draftNotice(), form.element,
    otherWays(['/sign-up', translate('account.have_none')]));
}

/** @param {{login: string, password: string}} proof */
function showCode(proof) {
  const code = textField({
    name: 'code', label: translate('account.code'), note: translate('account.code.note'), autocomplete: 'one-time-code',
    inputmode: 'numeric', most: 40,
  });
  const other = h('button', { type: 'button', class: 'link-button' }, translate('account.code.recovery'));
  other.addEventListener('click', () => {
    code.control.inputMode = 'text';
    const label = code.element.querySelector('label');
    if (label) label.textContent = translate('account.recovery_code');
    const note = code.element.querySelector('.field-note');
    if (note) note.textContent = translate('account.recovery_code.note');
    other.remove();
    code.control.focus();
  });
  const form = new Form({
    fields: [code],
    body: [code.element, h('p', { class: 'field-end' }, other)],
    submit: translate('menu.sign_in'),
    beside: [h('button', { type: 'button', class: 'button', onclick: showForm }, translate('form.cancel'))],
    isRepeatable: true,
    act: async (values) => leave(await signIn({ ...proof, code: values.code })),
    explain: (refusal) => (refusal.status === 401 ? [{ field: code, words: [refusal.message] }] : null),
  });
  showSheet({ title: translate('account.code.title'), symbol: 'shield', lead: translate('account.code.lead') },
    form.element);
  code.control.focus();
}

/** @param {import('../session.js').Session} session */
function leave({ account }) {
  if (isLeaving) return;
  isLeaving = true;
  const mustEnrol = account.second_factor.required && !account.second_factor.enabled;
  location.assign(mustEnrol ? '/account#second-factor' : returnPath() ?? '/');
}

start();
