// @ts-check
// Fields for texts and numbers. A text field shows how many characters remain.

import { h, iconButton } from '../dom.js';
import { formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { safeLink } from '../links.js';
import { complaintOf, lengthOf, newId } from './field.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').FieldContext} FieldContext */
/**
 * @typedef {object} TextOptions
 * @property {number} most characters
 * @property {boolean} [long] several lines
 * @property {string} [type] type of the input: text, url, email
 * @property {string} [label] label of the field; without it the question is the label
 * @property {string} [placeholder] an example
 * @property {string} [autocomplete]
 * @property {string[]} [suggestions] texts offered as buttons
 */

const NEARLY = 0.8; // share of the maximum length from which the field shows the remaining characters

/**
 * @param {FieldContext} context @param {TextOptions} options
 * @returns {Field}
 */
export function textField(context, {
  most, long = false, type = 'text', label, placeholder, autocomplete = 'off', suggestions = [],
}) {
  const id = newId('text');
  const control = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (h(long ? 'textarea' : 'input', {
    id, class: 'text-input', type: long ? null : type, rows: long ? '4' : null, placeholder, autocomplete,
    'aria-labelledby': label ? null : context.labelledBy, 'aria-describedby': context.describedBy,
    enterkeyhint: long ? null : 'next', spellcheck: type === 'text' ? null : 'false',
  }));
  control.value = typeof context.value === 'string' ? context.value : '';
  const left = h('p', { class: 'text-left', 'aria-live': 'polite' });
  const complaint = complaintOf(control);
  const value = () => control.value.trim() || null;
  const tell = () => {
    const used = lengthOf(control.value);
    left.textContent = used > most ? plural('field.text.over', used - most)
      : used >= most * NEARLY ? plural('field.text.left', most - used) : '';
    left.classList.toggle('is-over', used > most);
  };
  control.addEventListener('input', () => {
    tell();
    complaint.say(null);
    context.changed(value());
  });
  control.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Enter' && !long && !event.isComposing) {
      event.preventDefault();
      context.settled?.();
    }
  });
  // Adds the scheme of a URL, because people rarely type it.
  control.addEventListener('change', () => {
    const words = control.value.trim();
    if (type !== 'url' || !/^[\w-]+(\.[\w-]+)+(\/|$)/.test(words)) return;
    control.value = `https://${words}`;
    context.changed(value());
  });
  tell();
  const take = (/** @type {string} */ words) => {
    control.value = words;
    control.dispatchEvent(new Event('input'));
    control.focus();
  };
  return {
    element: h('div', { class: 'field text-field' },
      label && h('label', { for: id, class: 'field-label' }, label),
      control, left, complaint.element,
      suggestions.length > 0 && h('div', { class: 'chips suggestions-row' }, ...suggestions.map((words) => (
        h('button', { type: 'button', class: 'chip', onclick: () => take(words) }, words))))),
    value,
    complain: complaint.say,
    focus: () => control.focus(),
    check: () => {
      const words = trouble(control.value, most, type);
      if (words) {
        complaint.say(words);
        control.focus();
      }
      return words === null;
    },
  };
}

/**
 * The error of a text; null for a valid one.
 * @param {string} text @param {number} most @param {string} type
 */
function trouble(text, most, type) {
  const words = text.trim();
  if (lengthOf(words) > most) return plural('field.text.over', lengthOf(words) - most);
  if (words && type === 'url' && !safeLink(words)) return translate('field.text.url');
  return words && type === 'email' && !words.includes('@') ? translate('field.text.email') : null;
}

/**
 * @typedef {object} NumberOptions
 * @property {number} least
 * @property {number} most
 * @property {number} [step] of the buttons
 * @property {boolean} [isWhole] whether only whole numbers are accepted
 * @property {string} label
 * @property {string} [unit] shown after the number
 * @property {number} [first] value after the first press of a button
 */

/**
 * Number field with buttons for less and more. An empty field means unknown. A typed number stays as it was typed,
 * and the first value is accepted even outside of the limits, because the server has accepted it.
 * @param {FieldContext} context @param {NumberOptions} options @returns {Field}
 */
export function numberField(context, { least, most, step = 1, isWhole = false, label, unit, first = least }) {
  const id = newId('number');
  const control = /** @type {HTMLInputElement} */ (h('input', {
    id, class: 'text-input number-input', autocomplete: 'off',
    inputmode: least < 0 ? 'text' : isWhole ? 'numeric' : 'decimal',
    'aria-describedby': context.describedBy,
  }));
  const complaint = complaintOf(control);
  const show = (/** @type {number | null} */ number) => {
    control.value = number === null ? '' : String(number).replace('-', '−');
  };
  const read = () => Number(control.value.trim().replace(',', '.').replace('−', '-'));
  const earlier = typeof context.value === 'number' ? context.value : null;
  const isGood = () => control.value.trim() !== '' && (read() === earlier
    || (read() >= least && read() <= most && (!isWhole || Number.isInteger(read()))));
  const value = () => (isGood() ? read() : null);
  show(earlier);
  const check = () => complaint.say(control.value.trim() === '' || isGood() ? null
    : translate(isWhole ? 'field.number.whole' : 'field.number.range', {
      least: formatNumber(least, language()), most: formatNumber(most, language()),
    }));
  control.addEventListener('input', () => {
    complaint.say(null);
    context.changed(value());
  });
  control.addEventListener('change', check);
  const move = (/** @type {number} */ by) => {
    const now = value();
    show(now === null ? first : Math.max(least, Math.min(most, Math.round((now + by) / step) * step)));
    complaint.say(null);
    context.changed(value());
  };
  control.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      move(event.key === 'ArrowUp' ? step : -step);
    }
    if (event.key === 'Enter') context.settled?.();
  });
  return {
    element: h('div', { class: 'field number-field' },
      h('label', { for: id, class: 'field-label' }, label),
      h('div', { class: 'stepper' },
        iconButton('minus', translate('field.number.less', { what: label }), {
          class: 'framed', onclick: () => move(-step),
        }),
        control, unit && h('span', { class: 'unit' }, unit),
        iconButton('plus', translate('field.number.more', { what: label }), {
          class: 'framed', onclick: () => move(step),
        })),
      complaint.element),
    value,
    complain: complaint.say,
    focus: () => control.focus(),
    check: () => {
      check();
      if (control.value.trim() === '' || isGood()) return true;
      control.focus();
      return false;
    },
  };
}
