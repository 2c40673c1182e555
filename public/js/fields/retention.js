// @ts-check
// Field for the retention period: a common period, or any other.

import { h } from '../dom.js';
import { formatDuration } from '../format.js';
import { has, language, translate } from '../i18n.js';
import { singleAnswer } from './answers.js';
import { complaintOf, newId } from './field.js';
import { durationOf, partsOf, TIME_UNITS, USUAL } from './lengths-of-time.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').FieldContext} FieldContext */
/** @typedef {import('./lengths-of-time.js').TimeUnit} TimeUnit */

const OTHER = 'other';

/**
 * A retention period in words.
 * @param {string} value
 */
function retentionWords(value) {
  return has(`retention.${value}`) ? translate(`retention.${value}`) : formatDuration(value, language()) ?? value;
}

/**
 * @param {FieldContext} context
 * @returns {Field}
 */
export function retentionField(context) {
  const now = typeof context.value === 'string' && context.value !== 'unknown' ? context.value : null;
  const unusual = now !== null && !USUAL.includes(now);
  const parts = partsOf(unusual ? now : null);
  const idCount = newId('count');
  const number = /** @type {HTMLInputElement} */ (h('input', {
    id: idCount, class: 'text-input number-input', inputmode: 'numeric', autocomplete: 'off', value: parts?.count ?? '',
  }));
  const unit = /** @type {HTMLSelectElement} */ (h('select', {
    class: 'text-input', 'aria-label': translate('field.retention.unit'),
  },
    ...TIME_UNITS.map((code) => h('option', { value: code, selected: code === (parts?.unit ?? 'D') },
      translate(`time.${code}`)))));
  const complaint = complaintOf(number);
  const typed = () => durationOf(Number(number.value), /** @type {TimeUnit} */ (unit.value));
  const other = h('div', { class: 'other-length' },
    h('label', { for: idCount, class: 'field-label' }, translate('field.retention.length')),
    h('div', { class: 'stepper' }, number, unit), complaint.element);
  other.hidden = !unusual;
  const answers = singleAnswer({
    ...context,
    value: unusual ? OTHER : now,
    changed: (code) => {
      other.hidden = code !== OTHER;
      context.changed(value());
    },
    settled: () => {
      if (answers.value() === OTHER) number.focus();
      else context.settled?.();
    },
  },
  [
    ...USUAL.map((code) => ({ code, label: retentionWords(code) })),
    { code: OTHER, label: translate('field.retention.other') },
  ], { look: 'tiles' });
  const value = () => {
    const code = answers.value();
    return code === OTHER ? typed() ?? (parts === null && unusual ? now : null) : code;
  };
  for (const control of [number, unit]) {
    control.addEventListener('input', () => {
      complaint.say(number.value.trim() === '' || typed()
        ? null
        : translate('field.number.range', { least: '1', most: '999' }));
      context.changed(value());
    });
  }
  return {
    element: h('div', { class: 'field retention-field' }, answers.element, other),
    value,
    complain: answers.complain,
    focus: answers.focus,
  };
}
