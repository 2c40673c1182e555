// @ts-check
// The report of an import: its counts, and notes about rows.

import { h } from '../dom.js';
import { formatNumber } from '../format.js';
import { has, language, translate } from '../i18n.js';
import { columnsOfImport } from './import-columns.js';

/** @type {Count[]} */
export const COUNTS = ['rows', 'added', 'changed', 'unchanged', 'matched', 'gone', 'flagged', 'skipped', 'refused'];

/**
 * @typedef {'rows' | 'added' | 'changed' | 'unchanged' | 'matched' | 'gone' | 'flagged' | 'skipped' | 'refused'} Count
 */
/** @typedef {{row: number, severity: string, field: string | null, code: string, detail: string}} Note */
/**
 * @typedef {object} ImportFacts
 * @property {number} id
 * @property {string} file
 * @property {'running' | 'done' | 'failed' | 'undoing' | 'undone'} state
 * @property {string | null} error
 * @property {string} started_at
 * @property {boolean} dry_run
 * @property {import('./import-columns.js').Columns | null} [columns]
 * @property {{id: string, name: string, category: string, status: string}[]} [gone_devices]
 * @property {Note[]} [notes]
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

/**
 * Notes about rows, in a table that scrolls sideways.
 * @param {readonly Note[]} notes
 */
export function notesTable(notes) {
  return h('div', {
    class: 'table-holder', tabindex: '0', role: 'region', 'aria-label': translate('admin.imports.report'),
  }, h('table', { class: 'log' },
    h('thead', {},
      h('tr', {},
        ...['row', 'severity', 'field', 'detail'].map((column) => h('th', { scope: 'col' },
          translate(`admin.imports.notes.${column}`))))),
    h('tbody', {},
      ...notes.map((note) => h('tr', {}, h('td', {}, String(note.row)),
        h('td', {}, translate(`admin.imports.count.${note.severity}`)),
        h('td', {}, note.field ?? ''), h('td', {}, h('bdi', {}, note.detail)))))));
}
