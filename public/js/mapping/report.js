// @ts-check
// The report of an import: its counts, and notes about rows.

import { fieldName, valueWords } from '../devices/value-words.js';
import { h } from '../dom.js';
import { formatNumber } from '../format.js';
import { has, language, translate } from '../i18n.js';
import { columnsOfImport } from './import-columns.js';
import { noteWords } from './note-words.js';

/** @type {Count[]} */
export const COUNTS = ['rows', 'added', 'changed', 'unchanged', 'matched', 'gone', 'flagged', 'skipped', 'refused'];

/**
 * @typedef {'rows' | 'added' | 'changed' | 'unchanged' | 'matched' | 'gone' | 'flagged' | 'skipped' | 'refused'} Count
 */
/**
 * @typedef {object} Note
 * @property {number} row @property {string} severity @property {string | null} field
 * @property {string} code @property {string} detail
 * @property {string | null} device that a flagged row became, if it is on the map
 */
/** @typedef {{severity: string, field: string | null, code: string, count: number}} Reason */
/**
 * @typedef {object} Undo
 * @property {string | null} by null: the command line, or a deleted account
 * @property {boolean} by_command
 * @property {string | null} reason
 * @property {number | null} withdrawn @property {number | null} restored @property {number | null} kept
 */
/**
 * @typedef {object} ImportFacts
 * @property {number} id
 * @property {string} file
 * @property {number | null} bytes
 * @property {string} mapping the name of the mapping
 * @property {boolean} has_mapping whether the server has the mapping file
 * @property {string | null} by
 * @property {{id: number, name: string} | null} schedule the schedule that started it
 * @property {{name: string, licence: string} | null} source
 * @property {'running' | 'done' | 'failed' | 'undoing' | 'undone'} state
 * @property {string | null} error
 * @property {string | null} incomplete why the file said that it was only a part of the list
 * @property {boolean} settling whether its missing devices leave the map or return now
 * @property {string} started_at
 * @property {string | null} finished_at
 * @property {string | null} undone_at
 * @property {Undo | null} undo
 * @property {boolean} dry_run
 * @property {import('./import-columns.js').Columns | null} [columns]
 * @property {{id: string, name: string, category: string, status: string, withdrawn: boolean}[]} [gone_devices]
 * @property {{row: number, device: string, name: string, field: string, before: string | null, after: string | null}[]}
 *   [changes] what a test would change in known devices, of at most 100
 * @property {Note[]} [notes]
 * @property {Reason[]} [reasons]
 * @property {string | null} [next] where the next page of notes begins
 * @property {number} [notes_total]
 */
/** @typedef {ImportFacts & Record<Count, number>} ImportRun */

/** @param {string} name */
export function stateWords(name) {
  return has(`admin.imports.state.${name}`) ? translate(`admin.imports.state.${name}`) : name;
}

/**
 * The counts of an import.
 * @param {ImportRun} run
 */
export function countsOf(run) {
  return h('dl', { class: 'facts' },
    ...COUNTS.map((name) => h('div', {}, h('dt', {}, translate(`admin.imports.count.${name}`)),
      h('dd', {}, formatNumber(run[name] ?? 0, language())))));
}

/**
 * The columns that the mapping uses, does not use and misses.
 * @param {ImportRun} run
 */
export function columnsOf(run) {
  return run.columns ? columnsOfImport(run.columns) : [];
}

const COLUMNS = ['row', 'severity', 'field', 'detail'];

/**
 * Notes about rows. On a phone each of them is a card.
 * @param {readonly Note[]} notes
 */
export function notesTable(notes) {
  return tableOfNotes(COLUMNS, h('tbody', {}, ...notes.map((note) => noteRow(note))));
}

/**
 * A table with the head of these columns.
 * @param {readonly string[]} columns @param {HTMLElement} rows
 */
export function tableOfNotes(columns, rows) {
  return h('table', { class: 'is-stacked import-notes' },
    h('caption', { class: 'visually-hidden' }, translate('admin.import.rows')),
    h('thead', {}, h('tr', {}, ...columns.map((name) => (
      h('th', { scope: 'col' }, translate(`admin.imports.notes.${name}`)))))), rows);
}

const CHANGE_COLUMNS = ['row', 'name', 'field', 'before', 'after'];

/**
 * The changes to known devices that a test found; nothing without changes.
 * @param {ImportRun} run
 */
export function changesOf({ changes = [], changed }) {
  if (!changes.length) return [];
  const devices = new Set(changes.map(({ device }) => device)).size;
  return [
    h('h4', {}, translate('admin.import.changes', {
      shown: formatNumber(devices, language()), total: formatNumber(changed, language()),
    })),
    h('table', { class: 'is-stacked import-changes' },
      h('caption', { class: 'visually-hidden' }, translate('admin.import.changes.caption')),
      h('thead', {}, h('tr', {}, ...CHANGE_COLUMNS.map((name) => (
        h('th', { scope: 'col' }, translate(`admin.import.changes.${name}`)))))),
      h('tbody', {}, ...changes.map((change) => changeRow(change)))),
  ];
}

/**
 * The words for a value; codes have labels.
 * @param {string} field @param {string} text
 */
function shown(field, text) {
  try {
    return valueWords(field, /^[[{\d-]/.test(text) ? JSON.parse(text) : text) ?? text;
  } catch {
    return text;
  }
}

/** @param {NonNullable<ImportFacts['changes']>[number]} change */
function changeRow({ row, device, name, field, before, after }) {
  const cell = (/** @type {string} */ part, /** @type {import('../dom.js').Child} */ content) => (
    h('td', { 'data-title': translate(`admin.import.changes.${part}`) }, h('div', {}, content)));
  const value = (/** @type {string | null} */ text) => (text === null
    ? h('span', { class: 'unknown' }, translate('wizard.unknown')) : h('bdi', {}, shown(field, text)));
  return h('tr', {},
    h('th', { scope: 'row' }, h('span', { class: 'import-row-word' }, translate('admin.imports.notes.row')), ' ',
      formatNumber(row, language())),
    cell('name', h('a', { href: `/devices/${device}`, target: '_blank' }, h('bdi', {}, name))),
    cell('field', fieldName(field)), cell('before', value(before)), cell('after', value(after)));
}

/**
 * @param {Note} note
 * @param {...HTMLElement} more further cells
 */
export function noteRow(note, ...more) {
  const { row, severity, field } = note;
  return h('tr', { tabindex: '-1' },
    h('th', { scope: 'row' }, h('span', { class: 'import-row-word' }, translate('admin.imports.notes.row')), ' ',
      formatNumber(row, language())),
    noteCell('severity', translate(`admin.imports.count.${severity}`)), noteCell('field', field && fieldName(field)),
    noteCell('detail', h('bdi', {}, noteWords(note))), ...more);
}

/** @param {string} name @param {import('../dom.js').Child} content */
export function noteCell(name, content) {
  return h('td', { 'data-title': translate(`admin.imports.notes.${name}`) }, content ? h('div', {}, content) : null);
}
