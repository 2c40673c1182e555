// @ts-check
// The password and a code once more: what the server wants before it gives out more rights.

import { h } from '../dom.js';
import { translate } from '../i18n.js';
import { passwordField, textField } from './fields.js';

/** A code of the app, or a recovery code. */
export function codeField() {
  return textField({ name: 'code', label: translate('account.code'), note: translate('account.code.either'), autocomplete: 'one-time-code', most: 40 });
}

/**
 * Fields for both, which are shown and wanted only while they are needed.
 * @param {() => boolean} isNeeded
 */
export function proofFields(isNeeded) {
  const fields = [passwordField({ name: 'password', label: translate('account.current_password') }), codeField()];
  const element = h('fieldset', { class: 'field proof' }, h('legend', { class: 'field-label' }, translate('proof.why')), ...fields.map((field) => field.element));
  const look = () => { element.hidden = !isNeeded(); };
  look();
  return {
    element,
    look,
    fields: fields.map((field) => ({ ...field, fault: () => (isNeeded() ? field.fault() : null) })),
    /** What is sent: nothing while neither is needed. @returns {Record<string, string>} */
    values: () => (isNeeded() ? Object.fromEntries(fields.map((field) => [field.name, field.value()])) : {}),
    /** The first field that is wanted and empty, told so and focused. */
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
