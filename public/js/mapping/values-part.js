// @ts-check
// The kinds of devices of a list: one for all rows, or one for each value of a column; and the meaning of other values.

import { fieldName } from '../devices/value-words.js';
import { h } from '../dom.js';
import { formatNumber } from '../format.js';
import { selectField } from '../forms/fields.js';
import { has, language, translate } from '../i18n.js';
import { columnsFor, SKIPPING } from './choices.js';
import { SKIP } from './codes.js';
import { hasValues, USES } from './guess.js';

/** @typedef {import('./choices.js').Choices} Choices */
/** @typedef {import('./list.js').List} List */
/** @typedef {import('./list.js').Vocabulary} Vocabulary */
/** @typedef {import('./guess.js').Use} Field */

/** A status that a list can state; the others come from people. */
const STATUSES = ['reported', 'removed'];
const HOUSEHOLD = 'household';

/**
 * @param {List} list @param {Choices} choices @param {Vocabulary} vocabulary @param {() => void} changed
 */
export function valuesPart(list, choices, vocabulary, changed) {
  const hasColumn = columnsFor(choices, 'category').length > 0;
  const constant = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ value,
    /** @type {[string, string][]} */ options, /** @type {(code: string) => void} */ act) => {
    const field = selectField({ name, label, options, value, note: null });
    field.control.addEventListener('change', () => {
      act(field.control.value);
      changed();
    });
    return field.element;
  };
  const household = h('p', { class: 'section-note', role: 'status' });
  const noteHousehold = () => {
    household.textContent = choices.operatorKind === HOUSEHOLD ? translate('wizard.household') : '';
  };
  noteHousehold();
  return [
    ...USES.filter(hasValues).map((field) => table(field, list, choices, vocabulary, changed)),
    constant('category', translate(hasColumn ? 'wizard.category.other' : 'wizard.category.all'), choices.category, [
      ['', translate(hasColumn ? 'wizard.category.refuse' : 'wizard.choose')], ...optionsOf(vocabulary.category),
    ], (code) => { choices.category = code; }),
    constant('operator_kind', translate('wizard.operator_kind.all'), choices.operatorKind, [
      ['', translate('wizard.unknown')],
      ...optionsOf(vocabulary.operator_kind.filter(({ code }) => code !== 'unknown')),
    ], (code) => {
      choices.operatorKind = code;
      noteHousehold();
    }),
    household,
  ];
}

/** @param {Field} field @param {string} column */
function caption(field, column) {
  const key = `wizard.values.${field}`;
  return has(key) ? translate(key, { column }) : translate('wizard.values.field', { column, field: fieldName(field) });
}

/** @param {import('./guess.js').Terms} terms @returns {[string, string][]} */
const optionsOf = (terms) => terms.map(({ code, label }) => [code, label]);

/**
 * The values of the column of a field, each with a choice of its code.
 * @param {Field} field @param {List} list @param {Choices} choices @param {Vocabulary} vocabulary
 * @param {() => void} changed
 */
function table(field, list, choices, vocabulary, changed) {
  const names = columnsFor(choices, field);
  if (!names.length) return null;
  const columns = list.columns.filter(({ column }) => names.includes(column));
  const values = columns.flatMap((column) => column.values);
  if (!values.length) {
    return h('p', { class: 'wizard-warning' }, translate('wizard.values.many', { column: names[0] }));
  }
  const terms = (vocabulary[field] ?? []).filter(({ code }) => field !== 'status' || STATUSES.includes(code));
  const codes = choices.values[field] ??= {};
  return h('table', { class: 'is-stacked wizard-values' },
    h('caption', {}, caption(field, names.join(', '))),
    h('thead', {}, h('tr', {}, ...['value', 'rows', 'meaning'].map((name) => (
      h('th', { scope: 'col' }, translate(`wizard.values.${name}`)))))),
    h('tbody', {}, ...values.map(({ value, count }) => {
      const select = /** @type {HTMLSelectElement} */ (h('select', {
        class: 'text-input', 'aria-label': translate('wizard.values.of', { value }), 'data-value': value,
        onchange: () => {
          codes[value] = select.value;
          changed();
        },
      }, h('option', { value: '' }, translate(field === 'category' ? 'wizard.choose' : 'wizard.unknown')),
      ...optionsOf(terms).map(([code, label]) => h('option', { value: code }, label)),
      SKIPPING.includes(field) && h('option', { value: SKIP }, translate('wizard.values.skip'))));
      select.value = codes[value] ?? '';
      return h('tr', {}, h('th', { scope: 'row' }, h('bdi', {}, value)),
        h('td', { 'data-title': translate('wizard.values.rows') }, formatNumber(count, language())),
        h('td', { 'data-title': translate('wizard.values.meaning') }, select));
    })));
}
