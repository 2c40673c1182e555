// @ts-check
// Imports device lists from files: trial run, import, report, undo.

import { connection, getJSON, Outage, send } from '../api.js';
import { localName } from '../devices/late-name.js';
import { ask } from '../dialog.js';
import { fill, h } from '../dom.js';
import { formatNumber } from '../format.js';
import { saidIn, saidOver, steadily } from '../forms/steadily.js';
import { language, plural, translate } from '../i18n.js';
import { changesOf, columnsOf, COUNTS, countsOf, notesTable, stateWords } from '../mapping/report.js';
import { sizeFault } from '../mapping/upload-size.js';
import { moment } from '../moderation/detail.js';
import { toast } from '../page/notices.js';
import { trouble } from '../page/trouble.js';
import { Schedules } from './schedules.js';

const WATCH = 1_500; // milliseconds between two status requests during an import

/** @typedef {import('../mapping/report.js').ImportRun} ImportRun */

export class Imports {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.file = /** @type {HTMLInputElement} */ (h('input', { type: 'file', id: 'import-file', required: true }));
    this.mapping = /** @type {HTMLSelectElement} */ (h('select', { id: 'import-mapping' },
      h('option', { value: 'auto' }, translate('admin.imports.mapping.auto'))));
    this.source = /** @type {HTMLInputElement} */ (h('input', { type: 'text', id: 'import-source', maxlength: '200' }));
    this.licence = /** @type {HTMLInputElement} */ (h('input', {
      type: 'text', id: 'import-licence', maxlength: '60', placeholder: 'CC-BY-4.0',
    }));
    this.fault = h('p', { class: 'field-fault', role: 'alert' });
    this.report = h('section', { class: 'import-report', 'aria-live': 'polite' });
    this.list = h('div', {});
    fill(place,
      h('form', { class: 'fact-section import-form', onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
        h('h2', {}, translate('admin.imports.new')), h('p', { class: 'section-note' }, translate('admin.imports.lead')),
        h('p', {}, h('a', { href: '/admin/imports/new' }, translate('wizard.link'))),
        field('import-file', 'admin.imports.file', this.file),
        field('import-mapping', 'admin.imports.mapping', this.mapping),
        field('import-source', 'admin.imports.source', this.source),
        field('import-licence', 'admin.imports.licence', this.licence), this.fault,
        h('div', { class: 'decision-acts' },
          h('button', { type: 'button', class: 'button', onclick: () => this.begin(true) },
            translate('admin.imports.try')),
          h('button', { type: 'button', class: 'button primary', onclick: () => this.begin(false) },
            translate('admin.imports.do')))),
    this.report, h('h2', {}, translate('admin.imports.past')), this.list);
    const scheduled = h('section', { class: 'schedules', 'aria-labelledby': 'schedules' });
    place.append(scheduled);
    this.schedules = new Schedules(scheduled, () => this.load());
    this.begun = this.load();
    this.repeat();
  }

  /** Opens the form of a scheduled import, if the address names the import to repeat. */
  async repeat() {
    const id = Number(new URLSearchParams(location.search).get('repeat'));
    if (!Number.isInteger(id) || id < 1) return;
    // The address without it, so that a reload or a bookmark does not open the form again.
    history.replaceState(history.state, '', location.pathname);
    await this.begun;
    await this.schedules.repeat(id);
  }

  async load() {
    try {
      const { imports, mappings } = await getJSON('/api/admin/imports');
      this.schedules.mappings = mappings;
      if (Array.isArray(mappings) && this.mapping.options.length === 1) {
        this.mapping.append(...mappings.map((one) => h('option', { value: one.name ?? one },
          one.title ?? one.name ?? one)));
      }
      fill(this.list, imports.length
        ? h('ul', { class: 'account-list' }, ...imports.map((/** @type {ImportRun} */ run) => this.row(run)))
        : h('p', {}, translate('admin.imports.none')));
    } catch (error) {
      fill(this.list, h('p', { role: 'alert' }, trouble(error)));
      if (error instanceof Outage && connection.reach !== 'fine') connection.recovered().then(() => this.load());
    }
  }

  /** @param {ImportRun} run */
  row(run) {
    return h('li', { class: 'fact-section account-line' },
      h('strong', {}, h('a', { href: `/admin/imports/${run.id}` }, h('bdi', {}, run.file))),
      h('span', { class: 'chip' }, stateWords(run.state)),
      h('span', { class: 'section-note' }, moment(run.started_at), ' · ', summary(run)),
      h('span', { class: 'account-acts' },
        ['done', 'failed'].includes(run.state) && this.undoButton(run)));
  }

  /** @param {boolean} isTrial */
  async begin(isTrial) {
    const file = this.file.files?.[0];
    if (!file) {
      this.fault.textContent = translate('admin.imports.file.missing');
      this.file.focus();
      return;
    }
    this.fault.textContent = sizeFault(file) ?? '';
    if (this.fault.textContent) {
      this.file.focus();
      return;
    }
    const form = new FormData();
    form.append('mapping', this.mapping.value);
    if (isTrial) form.append('dry_run', 'true');
    if (this.source.value.trim()) form.append('source', this.source.value.trim());
    if (this.licence.value.trim()) form.append('licence', this.licence.value.trim());
    form.append('file', file);
    fill(this.report, h('p', {}, translate('admin.imports.sending', { file: file.name })));
    let id = '';
    const isSent = await steadily(saidIn(this.fault), async () => {
      ({ id } = (await send('POST', '/api/admin/imports', { form })).body);
    }, { again: translate(isTrial ? 'admin.imports.try' : 'admin.imports.do') });
    if (isSent) await this.show(id);
    else fill(this.report);
  }

  /**
   * Shows the report of an import and refreshes it while the import runs.
   * @param {string | number} id
   */
  async show(id) {
    try {
      const run = await getJSON(`/api/admin/imports/${encodeURIComponent(id)}`);
      this.draw(run);
      if (['running', 'undoing'].includes(run.state)) setTimeout(() => this.show(id), WATCH);
      else this.load();
    } catch (error) {
      fill(this.report, h('p', { role: 'alert' }, trouble(error)));
      if (error instanceof Outage && connection.reach !== 'fine') connection.recovered().then(() => this.show(id));
    }
  }

  /** @param {ImportRun} run */
  draw(run) {
    const notes = run.notes ?? [];
    const gone = run.gone_devices ?? [];
    fill(this.report, h('div', { class: 'fact-section' }, h('h2', { tabindex: '-1' }, h('bdi', {}, run.file)),
      h('p', {}, h('span', { class: 'chip' }, stateWords(run.state)), ' ',
        run.dry_run ? translate('admin.imports.trial') : ''),
      run.error && h('p', { class: 'field-fault' }, run.error), this.consequence(run),
      countsOf(run), ...changesOf(run),
      h('p', {}, h('a', { href: `/admin/imports/${run.id}` }, translate('admin.import.link'))),
      ...columnsOf(run),
      gone.length
        ? h('details', {},
          h('summary', {}, translate('admin.imports.gone', { count: formatNumber(run.gone, language()) })),
          h('p', { class: 'section-note' }, translate('admin.imports.gone.note')),
          h('ul', {},
            ...gone.map((device) => h('li', {},
              h('a', { href: `/devices/${device.id}` }, localName(device)))))) : null,
      notes.length
        ? h('details', {},
          h('summary', {},
            plural('admin.imports.notes.count', run.notes_total ?? notes.length)),
          notesTable(notes)) : null));
  }

  /**
   * The state of the rows of an import that ended early, with a button to undo it.
   * @param {ImportRun} run
   */
  consequence(run) {
    if (run.state !== 'failed') return null;
    if (run.dry_run || !(run.added + run.changed)) return h('p', {}, translate('admin.imports.early.nothing'));
    return h('p', {}, translate('admin.imports.early', {
      rows: formatNumber(run.rows, language()), added: formatNumber(run.added, language()),
      changed: formatNumber(run.changed, language()),
    }), ' ', this.undoButton(run));
  }

  /** @param {ImportRun} run */
  undoButton(run) {
    return h('button', {
      type: 'button', class: 'button grave',
      onclick: (/** @type {Event} */ event) => this.undo(run, /** @type {HTMLElement} */ (event.currentTarget)),
    }, translate('admin.imports.undo'));
  }

  /** @param {ImportRun} run @param {HTMLElement} button */
  async undo(run, button) {
    const answer = await ask({
      title: translate('admin.imports.undo'), words: translate('admin.imports.undo.sure', { file: run.file }),
      answers: [
        { value: 'no', label: translate('form.cancel') },
        { value: 'yes', label: translate('admin.imports.undo'), look: 'grave' },
      ],
    });
    if (answer !== 'yes') return;
    if (!await steadily(saidOver(button),
      () => send('POST', `/api/admin/imports/${encodeURIComponent(run.id)}/undo`, { json: {} }), {
        again: translate('admin.imports.undo'),
      })) return;
    toast(translate('admin.imports.undone'));
    this.show(run.id);
  }
}

/** @param {ImportRun} run */
function summary(run) {
  return COUNTS.filter((name) => name !== 'rows' && run[name])
    .map((name) => `${translate(`admin.imports.count.${name}`)} ${formatNumber(run[name], language())}`).join(' · ');
}

/** @param {string} id @param {string} key @param {HTMLElement} input */
function field(id, key, input) {
  return h('div', { class: 'field' }, h('label', { for: id }, translate(key)), input);
}
