// @ts-check
// Text form of an edit, for reading, comparing and copying.

import { flatten } from '../devices/record.js';
import { saidValue } from '../devices/said-value.js';
import { fieldName, valueWords } from '../devices/value-words.js';
import { h } from '../dom.js';
import { translate } from '../i18n.js';

/** @typedef {import('./edit.js').Edit} Edit */

/**
 * One line per change for copying, such as «Name: Gate camera».
 * @param {Edit} edit
 */
export function editAsText(edit) {
  const lines = Object.entries(edit.changes)
    .map(([field, value]) => `${fieldName(field)}: ${valueWords(field, value) ?? translate('unknown')}`);
  if (edit.vouched.length) lines.push(`${translate('edit.vouched')}: ${edit.vouched.map(fieldName).join(', ')}`);
  if (edit.comment.trim()) lines.push(`${translate('edit.comment.short')}: ${edit.comment.trim()}`);
  return lines.join('\n');
}

/**
 * The changes of an edit, each with the previous value.
 * @param {Edit} edit
 * @param {((field: string) => Node | null)} [act] creates a button for each change
 */
export function changeList(edit, act) {
  const before = flatten(edit.base);
  return h('ul', { class: 'change-list' },
    ...Object.entries(edit.changes).map(([field, value]) => h('li', {},
      h('span', { class: 'change-field' }, fieldName(field)),
      h('span', { class: 'change-values' },
        h('span', { class: 'visually-hidden' }, translate('change.before'), ' '),
        h('s', { class: 'change-before' }, saidValue(field, before[field])), ' ',
        h('span', { class: 'change-arrow', 'aria-hidden': 'true' }, '→'), ' ',
        h('span', { class: 'visually-hidden' }, translate('change.after'), ' '), saidValue(field, value)),
      act?.(field))),
    ...edit.vouched.map((field) => h('li', {},
      h('span', { class: 'change-field' }, fieldName(field)),
      h('span', { class: 'change-values' }, translate('edit.vouched.one')),
      act?.(field))));
}
