// @ts-check
// Field for a new password, with an estimate of its strength.

import { h } from '../dom.js';
import { passwordField } from '../forms/fields.js';
import { translate } from '../i18n.js';
import { SHORTEST, strength } from './strength.js';

const STEPS = ['empty', 'short', 'own', 'weak', 'fair', 'good', 'strong'];
const PAUSE = 600; // milliseconds without typing before a screen reader announces the estimate

/**
 * @param {{name?: string, label: string, names: () => string[]}} options `names`: names of the owner, which make a weak
 *   password
 */
export function newPasswordField({ name = 'password', label, names }) {
  const bar = h('span', { class: 'strength-bar', 'aria-hidden': 'true' },
    ...Array.from({ length: 4 }, () => h('span')));
  const words = h('span', {});
  const told = h('span', { class: 'visually-hidden', role: 'status' });
  const meter = h('div', { class: 'strength' }, bar, h('p', { class: 'field-note', 'aria-hidden': 'true' }, words),
    told);
  const field = passwordField({
    name, label, isNew: true, more: meter, note: translate('account.password.note', { least: SHORTEST }),
    check: (text) => {
      const found = strength(text, names());
      return found === 'short' || found === 'own' ? translate(`account.strength.${found}`, { least: SHORTEST }) : null;
    },
  });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let telling;
  const draw = () => {
    const found = strength(field.control.value, names());
    meter.dataset.strength = found;
    [...bar.children].forEach((step, place) => step.classList.toggle('is-on', place < STEPS.indexOf(found) - 2));
    words.textContent = translate(`account.strength.${found}`, { least: SHORTEST });
    clearTimeout(telling);
    telling = setTimeout(() => { told.textContent = field.control.value ? words.textContent : ''; }, PAUSE);
  };
  field.control.addEventListener('input', draw);
  draw();
  return field;
}
