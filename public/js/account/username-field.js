// @ts-check
// Fields for a username and an e-mail address, validated while the user types. The server checks
// only on submit whether they are in use.

import { textField } from '../forms/fields.js';
import { translate } from '../i18n.js';
import { isEmail, LONGEST, SHORTEST, usernameFault, usernameFaultSoFar } from './username.js';

/**
 * The username field.
 * @param {string} [value] the current username
 */
export function usernameField(value) {
  /** @param {import('./username.js').UsernameFault | null} fault */
  const words = (fault) => fault && translate(`account.username.${fault}`, { least: SHORTEST, most: LONGEST });
  return textField({
    name: 'username', label: translate('account.username'), note: translate('account.username.note'), value,
    autocomplete: 'username',
    check: (text) => words(usernameFault(text)), checkSoFar: (text) => words(usernameFaultSoFar(text)),
  });
}

/** @param {string} label @param {string | null} note */
export function emailField(label, note) {
  return textField({
    name: 'email', label, note, type: 'email', inputmode: 'email', autocomplete: 'email', most: 254,
    check: (text) => (isEmail(text) ? null : translate('account.email.wrong')),
  });
}
