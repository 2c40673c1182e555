// @ts-check
// The rows of one import that were flagged, skipped or refused, with the reasons.

import { getJSON } from '../api.js';
import { fieldName } from '../devices/value-words.js';
import { fill, h } from '../dom.js';
import { formatNumber } from '../format.js';
import { selectField } from '../forms/fields.js';
import { language, translate } from '../i18n.js';
import { noteCell, noteRow, tableOfNotes } from '../mapping/report.js';
import { announce } from '../page/notices.js';
import { trouble } from '../page/trouble.js';

/** @typedef {import('../mapping/report.js').ImportRun} ImportRun */
/** @typedef {import('../mapping/report.js').Note} Note */

const OUTCOMES = /** @type {const} */ (['flagged', 'refused', 'skipped']);
const COLUMNS = ['row', 'severity', 'field', 'detail', 'device'];

export class ImportRows {
  /** @param {ImportRun} run with the first notes @param {string} path */
  constructor(run, path) {
    this.path = path;
    this.severity = '';
    this.rows = h('tbody', {});
    this.foot = h('div', { class: 'decision-acts' });
    this.fault = h('p', { class: 'field-fault', role: 'alert' });
    this.element = h('div', { class: 'import-rows' });
    if (!run.notes_total) {
      fill(this.element, h('p', {}, translate('admin.import.rows.none')));
      return;
    }
    const filter = selectField({
      name: 'severity', label: translate('admin.import.rows.show'), note: null, value: '',
      options: [
        ['', translate('admin.import.rows.all')],
        ...OUTCOMES.filter((name) => run[name] > 0).map((name) => /** @type {[string, string]} */ ([
          name, translate(`admin.import.rows.${name}`),
        ])),
      ],
    });
    filter.control.addEventListener('change', () => {
      this.severity = filter.value();
      this.ask(null);
    });
    fill(this.element, reasons(run), filter.element, this.fault, tableOfNotes(COLUMNS, this.rows), this.foot);
    this.show(run, false);
  }

  /**
   * Asks for rows with the chosen outcome.
   * @param {string | null} cursor null: from the beginning
   */
  async ask(cursor) {
    const query = new URLSearchParams(this.severity ? { severity: this.severity } : {});
    if (cursor) query.set('cursor', cursor);
    this.fault.textContent = '';
    try {
      this.show(await getJSON(`${this.path}?${query}`), cursor !== null);
    } catch (error) {
      this.fault.textContent = trouble(error);
    }
  }

  /** @param {ImportRun} run @param {boolean} isFurther */
  show({ notes = [], notes_total: total = 0, next = null }, isFurther) {
    const rows = notes.map(row);
    if (isFurther) this.rows.append(...rows);
    else fill(this.rows, ...rows);
    const words = translate('admin.import.rows.shown', {
      shown: formatNumber(this.rows.childElementCount, language()), total: formatNumber(total, language()),
    });
    const hadFocus = this.foot.contains(document.activeElement);
    fill(this.foot, h('span', { class: 'section-note' }, words), next && h('button', {
      type: 'button', class: 'button', onclick: () => this.ask(next),
    }, translate('list.more')));
    if (isFurther || this.severity) announce(words);
    if (hadFocus) (this.foot.querySelector('button') ?? rows[0])?.focus();
  }
}

/**
 * The number of rows for each reason.
 * @param {ImportRun} run
 */
function reasons({ reasons: given = [] }) {
  return h('details', {}, h('summary', {}, translate('admin.import.reasons')),
    h('ul', {}, ...given.map(({ severity, field, code, count }) => h('li', {},
      `${formatNumber(count, language())} × ${translate(`admin.imports.count.${severity}`)}`,
      field ? `, ${fieldName(field)}` : '', ': ', h('code', {}, code)))));
}

/** @param {Note} note */
function row(note) {
  const words = formatNumber(note.row, language());
  return noteRow(note, noteCell('device', note.device && h('a', {
    href: `/devices/${note.device}`, 'aria-label': translate('admin.import.rows.device', { row: words }),
  }, translate('admin.import.rows.open'))));
}
