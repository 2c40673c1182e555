// @ts-check
// Password and second-factor code, which the server requires before it grants more permissions.

import { h } from '../dom.js';
import { translate } from '../i18n.js';
import { passwordField, textField } from './fields.js';

/** Field for a code of the authenticator app, or a recovery code. */
export function codeField() {
  return textField({
    name: 'code', label: translate('account.code'), note: translate('account.code.either'),
    autocomplete: 'one-time-code', most: 40,
  });
}

/**
 * Fields for both. They are visible and required only while needed.
 * @param {() => boolean} isNeeded
 */
export function proofFields(isNeeded) {
  const fields = [passwordField({ name: 'password', label: translate('account.current_password') }), codeField()];
  const element = h('fieldset', { class: 'field proof' }, h('legend', { class: 'field-label' }, translate('proof.why')),
    ...fields.map((field) => field.element));
  const look = () => { element.hidden = !isNeeded(); };
  look();
  return {
    element,
    look,
    fields: fields.map((field) => ({ ...field, fault: () => (isNeeded() ? field.fault() : null) })),
    /**
     * Values to send; empty if no proof is needed.
     * @returns {Record<string, string>}
     */
    values: () => (isNeeded() ? Object.fromEntries(fields.map((field) => [field.name, field.value()])) : {}),
    /** Finds the first required field that is empty, shows an error and focuses it. */
    missing() {
      if (!isNeeded()) return false;
      const wrong = fields.filter((field) => {
        const words = field.fault();
        field.complain(words ? [words] : null);
        return words;
      });
      wrong[0]?.control.focus();
      return wrong.length > 0;
    },
  };
}
