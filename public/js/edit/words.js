// @ts-check
// An edit in words: what stands for what, to be read, compared and copied.

import { fieldName, isWritten, valueWords } from '../devices/value-words.js';
import { unknown } from '../devices/terms.js';
import { h } from '../dom.js';
import { translate } from '../i18n.js';
import { flatten } from './record.js';

/** @typedef {import('./edit.js').Edit} Edit */

/**
 * A value as it is shown: somebody's own words stay apart from ours, whatever way they run.
 * @param {string} field @param {any} value
 */
export function saidValue(field, value) {
  const words = field === 'operator' ? operatorWords(value) : valueWords(field, value);
  return words === null ? unknown() : h('span', { class: isWritten(field) || field === 'operator' || field === 'choices' ? 'said' : null, dir: isWritten(field) ? 'auto' : null }, words);
}

/**
 * All parts of an operator, as a merge has them or as the interface does.
 * @param {any} value
 */
function operatorWords(value) {
  if (value === null || typeof value !== 'object') return valueWords('operator', value);
  const parts = Object.fromEntries(Object.entries(value).map(([name, part]) => [name.replace('operator.', ''), part]));
  return valueWords('operator', parts);
}

/**
 * «Name: Gate camera», line by line, to be copied.
 * @param {Edit} edit
 */
export function editAsText(edit) {
  const lines = Object.entries(edit.changes).map(([field, value]) => `${fieldName(field)}: ${valueWords(field, value) ?? translate('unknown')}`);
  if (edit.vouched.length) lines.push(`${translate('edit.vouched')}: ${edit.vouched.map(fieldName).join(', ')}`);
  if (edit.comment.trim()) lines.push(`${translate('edit.comment.short')}: ${edit.comment.trim()}`);
  return lines.join('\n');
}

/**
 * What an edit changes, each with what stood there before.
 * @param {Edit} edit
 * @param {((field: string) => Node | null)} [act] a button beside each
 */
export function changeList(edit, act) {
  const before = flatten(edit.base);
  return h('ul', { class: 'change-list' },
    ...Object.entries(edit.changes).map(([field, value]) => h('li', {},
      h('span', { class: 'change-field' }, fieldName(field)),
      h('span', { class: 'change-values' },
        h('span', { class: 'visually-hidden' }, translate('change.before'), ' '), h('s', { class: 'change-before' }, saidValue(field, before[field])), ' ',
        h('span', { class: 'change-arrow', 'aria-hidden': 'true' }, '→'), ' ',
        h('span', { class: 'visually-hidden' }, translate('change.after'), ' '), saidValue(field, value)),
      act?.(field))),
    ...edit.vouched.map((field) => h('li', {},
      h('span', { class: 'change-field' }, fieldName(field)),
      h('span', { class: 'change-values' }, translate('edit.vouched.one')),
      act?.(field))));
}
