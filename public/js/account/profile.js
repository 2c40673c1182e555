// @ts-check
// Profile: username, e-mail address, password, language of e-mails. Each has a separate form.

import { send } from '../api.js';
import { fill, h } from '../dom.js';
import { formatDay } from '../format.js';
import { passwordField, selectField } from '../forms/fields.js';
import { Form } from '../forms/form.js';
import { language, translate } from '../i18n.js';
import { refreshSession, session } from '../session.js';
import { newPasswordField } from './new-password.js';
import { cancelButton, opener, paper } from './section.js';
import { emailField, usernameField } from './username-field.js';

/** @typedef {import('./section.js').Account} Account */
/** @typedef {import('./section.js').Section} Section */
/** @typedef {import('../forms/fields.js').FormField} FormField */

/** @type {[string, string][]} */
const LANGUAGES = [['en', 'English'], ['pt', 'Português']];

/** @returns {Section} */
export function profile() {
  const rows = [
    row('username', (account) => h('bdi', { class: 'strong' }, account.username), usernameForm),
    row('email', emailValue, emailForm),
    row('password', () => '••••••••', passwordForm),
    row('locale', (account) => LANGUAGES.find(([code]) => account.locale.startsWith(code))?.[1] ?? account.locale,
      localeForm),
    row('joined', (account) => formatDay(account.created_at, language()), null),
  ];
  const title = translate('account.profile');
  return {
    id: 'profile', title,
    element: paper('profile', title, h('dl', { class: 'own-facts' }, ...rows.map((one) => one.element))),
    update: (account) => { for (const one of rows) one.update(account); },
  };
}

/**
 * @param {string} name
 * @param {(account: Account) => import('../dom.js').Child} show
 * @param {((close: (said?: string) => void) => Form) | null} form
 */
function row(name, show, form) {
  const value = h('div', { class: 'own-value' });
  const words = translate(`account.${name}`);
  const { button, place } = form
    ? opener({ words: translate('account.change'), label: translate('account.change_what', { what: words }) },
      (close) => form(close))
    : { button: null, place: null };
  return {
    element: h('div', { class: 'own-fact' }, h('dt', {}, words), h('dd', {}, value, button, place)),
    update: (/** @type {Account} */ account) => fill(value, show(account)),
  };
}

/** @param {Account} account */
function emailValue({ email, confirmed, pending_email: pending }) {
  return h('div', {}, h('bdi', {}, email),
    !confirmed && h('span', { class: 'chip is-warning' }, translate('account.unconfirmed')),
    pending && h('p', { class: 'field-note' }, translate('account.pending'), ' ',
      h('bdi', { class: 'strong' }, pending)));
}

/**
 * Form that changes one value. It requires the current password, except for the language.
 * @param {FormField[]} fields
 * @param {(close?: string) => void} close
 * @param {string} said
 * @param {(string | Node)[]} [body] further content of the form
 */
function changeForm(fields, close, said, body = []) {
  // Every change except the language requires the current password.
  const all = fields[0].name === 'locale'
    ? fields
    : [...fields, passwordField({ name: 'current_password', label: translate('account.current_password') })];
  return new Form({
    fields: all,
    body: [...all.map((field) => field.element), ...body],
    submit: translate('form.save'),
    beside: [cancelButton(close)],
    act: async (values) => {
      await send('PATCH', '/api/account', { json: values });
      await refreshSession();
      close(said);
    },
  });
}

/** @param {(said?: string) => void} close */
function usernameForm(close) {
  return changeForm([usernameField(session()?.account.username)], close, translate('account.saved'));
}

/** @param {(said?: string) => void} close */
function emailForm(close) {
  // An address that was never confirmed is replaced at once, so that the user can correct a typing
  // error.
  const isFirst = session()?.account.confirmed === false;
  return changeForm([emailField(translate('account.new_email'), isFirst ? null : translate('account.new_email.note'))],
    close,
    translate(isFirst ? 'account.email.sent_first' : 'account.email.sent'));
}

/** @param {(said?: string) => void} close */
function passwordForm(close) {
  const account = session()?.account;
  const field = newPasswordField({
    label: translate('account.new_password'), names: () => [account?.username ?? '', account?.email ?? ''],
  });
  const body = [h('p', { class: 'field-note' }, translate('account.new_password.note'))];
  // Password managers need the username to know which account the password belongs to.
  if (account) {
    body.push(h('input', {
      type: 'text', autocomplete: 'username', value: account.username, hidden: true, tabindex: '-1',
      'aria-hidden': 'true',
    }));
  }
  return changeForm([field], close, translate('account.password.saved'), body);
}

/** @param {(said?: string) => void} close */
function localeForm(close) {
  const field = selectField({
    name: 'locale', label: translate('account.locale'), note: translate('account.locale.note'), options: LANGUAGES,
    value: (session()?.account.locale ?? language()).slice(0, 2),
  });
  return changeForm([field], close, translate('account.saved'));
}
