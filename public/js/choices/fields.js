// @ts-check
// Form fields that forms/fields.js does not have: a date, a long text, an optional selection.

import { h } from '../dom.js';
import { complaintFor, selectField, textField } from '../forms/fields.js';
import { translate } from '../i18n.js';
import { isDay } from '../ledger/deadline.js';

/** @typedef {import('../forms/fields.js').FormField} FormField */

let count = 0;

/**
 * Date field of the browser.
 * @param {{
 *   name: string, label: string, note?: string | null, value?: string, isRequired?: boolean, from?: string | null,
 *   to?: string,
 *   }} options
 * @returns {FormField}
 */
export function dayField({ name, label, note = null, value = '', isRequired = true, from = null, to }) {
  const field = textField({
    name, label, note, value, isRequired, type: 'date',
    check: (day) => {
      if (!isDay(day)) return translate('event.day.wrong');
      if (from && day < from) return translate('event.day.early');
      return to && day > to ? translate('event.day.late') : null;
    },
  });
  if (from) field.control.min = from;
  if (to) field.control.max = to;
  return field;
}

/**
 * Text field with several lines.
 * @param {{name: string, label: string, note?: string | null, value?: string, isRequired?: boolean, most?: number}}
 *   options
 * @returns {FormField}
 */
export function longField({ name, label, note = null, value = '', isRequired = false, most = 2_000 }) {
  count += 1;
  const id = `long-${name}-${count}`;
  const control = /** @type {HTMLTextAreaElement} */ (h('textarea', {
    id, name, class: 'text-input', rows: '3', maxlength: String(most), required: isRequired,
  }));
  control.value = value;
  const complaint = complaintFor(control, note ? [`${id}-note`] : []);
  control.addEventListener('input', () => { if (control.value.trim()) complaint.say(null); });
  return {
    name, label, control,
    element: h('div', { class: 'field' },
      h('label', { class: 'field-label', for: id }, label,
        !isRequired && h('span', { class: 'field-optional' }, ` (${translate('form.optional')})`)),
      note && h('p', { class: 'field-note', id: `${id}-note` }, note), control, complaint.element),
    value: () => control.value.trim(),
    fault: () => (isRequired && !control.value.trim() ? translate('form.needed') : null),
    complain: complaint.say,
  };
}

/**
 * Selection without a preselected option.
 * @param {{name: string, label: string, options: [string, string][], isRequired: boolean}} options
 * @returns {FormField}
 */
export function openSelect({ name, label, options, isRequired }) {
  const field = selectField({ name, label, options: [['', translate('event.choose')], ...options], value: '' });
  field.control.required = isRequired;
  return { ...field, fault: () => (isRequired && !field.control.value ? translate('form.needed') : null) };
}
