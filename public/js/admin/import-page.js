// @ts-check
// Everything about one import: its file, source, mapping and counts, the rows with notes, its devices on a small map,
// later changes to them, and undo.

import { connection, getJSON, Outage, send } from '../api.js';
import { localName } from '../devices/late-name.js';
import { ask } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { language, plural, translate } from '../i18n.js';
import { changesOf, columnsOf, countsOf, stateWords } from '../mapping/report.js';
import { toast } from '../page/notices.js';
import { trouble } from '../page/trouble.js';
import { ImportDevices } from './import-devices.js';
import { factsOf, part, sinceOf } from './import-facts.js';
import { ImportMapping } from './import-mapping.js';
import { ImportRows } from './import-rows.js';

/** @typedef {import('../mapping/report.js').ImportRun} ImportRun */
/** @typedef {import('./import-devices.js').OnMap} OnMap */

const WATCH = 1_500; // milliseconds between two status requests while the import runs
const LONGEST_REASON = 500;

export class ImportPage {
  /** @param {HTMLElement} place @param {number} id */
  constructor(place, id) {
    this.id = id;
    this.path = `/api/admin/imports/${id}`;
    /** @type {OnMap | null} */
    this.onMap = null;
    this.title = h('h2', { tabindex: '-1' }, translate('admin.import', { number: formatNumber(id, language()) }));
    this.state = h('div', { class: 'import-state', role: 'status' });
    this.acts = h('div', { class: 'decision-acts' });
    this.body = h('div', { class: 'import-parts' });
    fill(place, h('div', { class: 'import-page' },
      h('p', {}, h('a', { href: '/admin/imports' }, icon('back'), translate('admin.import.all'))),
      this.title, this.state, this.acts, this.body));
    this.load();
  }

  /** Shows the report, again and again while the import runs, and then the other parts. */
  async load() {
    try {
      /** @type {ImportRun} */
      const run = await getJSON(this.path);
      this.drawHead(run);
      if (['running', 'undoing'].includes(run.state) || run.settling) {
        fill(this.acts);
        fill(this.body, part('counts', countsOf(run)));
        setTimeout(() => this.load(), WATCH);
      } else await this.draw(run);
    } catch (error) {
      fill(this.state, h('p', { class: 'field-fault' }, trouble(error)));
      if (error instanceof Outage && connection.reach !== 'fine') connection.recovered().then(() => this.load());
    }
  }

  /** @param {ImportRun} run */
  drawHead(run) {
    fill(this.title, h('bdi', {}, run.file));
    document.title = `${run.file} – ${translate('admin.imports')}`;
    const words = [
      h('p', {}, h('span', { class: 'chip' }, stateWords(run.state)), ' ',
        run.dry_run ? translate('admin.imports.trial') : ''),
      run.error && h('p', { class: 'field-fault' }, run.error),
      run.incomplete && h('p', { class: 'wizard-warning' }, icon('warning'),
        h('span', {}, translate('admin.import.incomplete', { reason: run.incomplete }))),
      run.state === 'failed' && early(run),
    ];
    // Screen readers repeat the state only when it changes.
    const key = `${run.state} ${run.error}`;
    if (this.state.dataset.shown === key) return;
    this.state.dataset.shown = key;
    fill(this.state, ...words);
  }

  /** @param {ImportRun} run */
  async draw(run) {
    const mapping = new ImportMapping(run, this.path);
    const rows = new ImportRows(run, this.path);
    const [onMap] = await Promise.all([
      run.dry_run ? null : /** @type {Promise<OnMap>} */ (getJSON(`${this.path}/map`)), mapping.load(),
    ]);
    this.onMap = onMap;
    this.devices?.end();
    this.devices = onMap ? new ImportDevices(onMap, this.path, run.unchanged) : null;
    fill(this.body,
      h('div', { class: 'import-pair' }, part('facts', factsOf(run, mapping.source)), part('counts', countsOf(run))),
      run.changes?.length ? h('section', { class: 'fact-section' }, ...changesOf(run)) : null,
      onMap && part('since', sinceOf(run, onMap)),
      this.devices && part('devices', this.devices.element), part('rows', rows.element), this.missing(run),
      part('mapping', mapping.element, ...columnsOf(run)));
    this.devices?.start();
    fill(this.acts, !run.dry_run && ['done', 'failed'].includes(run.state) && this.undoButton(run),
      !run.dry_run && run.state === 'done' && run.has_mapping && repeatLink(run));
  }

  /**
   * The devices that a newer list no longer has, and what can be done with them.
   * @param {ImportRun} run
   */
  missing(run) {
    const { gone: count, gone_devices: devices = [] } = run;
    if (!devices.length) return null;
    const isDone = devices.some(({ withdrawn, status }) => withdrawn || status === 'removed');
    const act = (/** @type {string} */ action, look = '') => h('button', {
      type: 'button', class: `button ${look}`, 'data-act': action,
      onclick: (/** @type {Event} */ event) => (
        this.settle(run, action, /** @type {HTMLElement} */ (event.currentTarget))),
    }, translate(`admin.imports.missing.${action}`));
    return part('gone', h('p', { class: 'section-note' }, translate('admin.imports.gone.note')),
      !run.dry_run && run.state === 'done' && h('div', { class: 'decision-acts' },
        act('withdraw', 'grave'), act('remove'), isDone && act('restore')),
      h('details', {},
        h('summary', {}, translate('admin.imports.gone', { count: formatNumber(count, language()) })),
        h('ul', {}, ...devices.map(({ id, name, category, status, withdrawn }) => h('li', {},
          withdrawn ? localName({ id, name, category })
            : h('a', { href: `/devices/${id}` }, localName({ id, name, category })), ' ',
          withdrawn ? h('span', { class: 'chip' }, translate('admin.imports.missing.withdrawn'))
            : status === 'removed' && h('span', { class: 'chip' }, translate('admin.imports.missing.removed')))))));
  }

  /** @param {ImportRun} run @param {string} action @param {HTMLElement} button */
  async settle(run, action, button) {
    const answer = await ask({
      title: translate(`admin.imports.missing.${action}`),
      words: plural(`admin.imports.missing.${action}.sure`, run.gone),
      answers: [
        { value: 'no', label: translate('form.cancel') },
        {
          value: 'yes', label: translate(`admin.imports.missing.${action}`),
          look: action === 'withdraw' ? 'grave' : 'primary',
        },
      ],
    });
    if (answer !== 'yes') return;
    if (!await steadily(saidOver(button), () => send('POST', `${this.path}/missing`, { json: { action } }), {
      again: translate(`admin.imports.missing.${action}`),
    })) return;
    toast(translate('admin.imports.missing.begun'));
    this.title.focus();
    await this.load();
  }

  /** @param {ImportRun} run */
  undoButton(run) {
    return h('button', {
      type: 'button', class: 'button grave', 'data-act': 'undo',
      onclick: (/** @type {Event} */ event) => this.undo(run, /** @type {HTMLElement} */ (event.currentTarget)),
    }, icon('restore'), translate('admin.import.undo'));
  }

  /** @param {ImportRun} run @param {HTMLElement} button */
  async undo(run, button) {
    const reason = /** @type {HTMLInputElement} */ (h('input', {
      type: 'text', id: 'import-reason', maxlength: String(LONGEST_REASON),
    }));
    const answer = await ask({
      title: translate('admin.import.undo'), words: translate('admin.import.undo.sure', { file: run.file }),
      more: h('div', { class: 'import-undo' }, this.onMap && consequences(this.onMap),
        h('div', { class: 'field' }, h('label', { for: reason.id }, translate('admin.import.undo.reason')), reason)),
      answers: [
        { value: 'no', label: translate('form.cancel') },
        { value: 'yes', label: translate('admin.import.undo'), look: 'grave' },
      ],
    });
    if (answer !== 'yes') return;
    const json = reason.value.trim() ? { reason: reason.value.trim() } : {};
    if (!await steadily(saidOver(button), () => send('POST', `${this.path}/undo`, { json }), {
      again: translate('admin.import.undo'),
    })) return;
    toast(translate('admin.imports.undone'));
    this.title.focus();
    await this.load();
  }
}

/**
 * Leads to the form of a scheduled import with the mapping of this one.
 * @param {ImportRun} run
 */
export function repeatLink({ id }) {
  return h('a', { class: 'button', href: `/admin/imports?repeat=${id}` }, icon('clock'),
    translate('admin.import.repeat'));
}

/**
 * The effects of an undo.
 * @param {OnMap} onMap
 */
function consequences({ shown, edited, withdrawable }) {
  const lines = [
    plural('admin.import.undo.withdrawn', withdrawable),
    shown > withdrawable + edited && plural('admin.import.undo.restored', shown - withdrawable - edited),
    edited > 0 && plural('admin.import.undo.kept', edited),
  ];
  return h('ul', {}, ...lines.map((line) => line && h('li', {}, line)));
}

/**
 * The state of the rows of an import that ended early.
 * @param {ImportRun} run
 */
function early(run) {
  if (run.dry_run || !(run.added + run.changed)) return h('p', {}, translate('admin.imports.early.nothing'));
  return h('p', {}, translate('admin.imports.early', {
    rows: formatNumber(run.rows, language()), added: formatNumber(run.added, language()),
    changed: formatNumber(run.changed, language()),
  }));
}
