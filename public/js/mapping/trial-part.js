// @ts-check
// The test of a mapping and the import: counts, and the first rows that were refused, with the reason.

import { connection, getJSON, Outage, send } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { isBusy, saidIn, steadily, whileBusy } from '../forms/steadily.js';
import { language, translate } from '../i18n.js';
import { trouble } from '../page/trouble.js';
import { changesOf, columnsOf, countsOf, notesTable, stateWords } from './report.js';
import { sizeFault } from './upload-size.js';

/** @typedef {import('./report.js').ImportRun} ImportRun */

const WATCH = 1_000; // milliseconds between two status requests during an import
const SHOWN = 10; // rows of each outcome

/**
 * @typedef {object} Given
 * @property {() => File} file
 * @property {() => object | null} mapping null if the page has shown what is missing
 * @property {() => void} imported the list was sent and stored
 */

export class TrialPart {
  /** @param {Given} given */
  constructor({ file, mapping, imported }) {
    this.given = { file, mapping, imported };
    this.fault = h('p', { class: 'complaint', role: 'alert' });
    this.fault.hidden = true;
    this.progress = h('p', { role: 'status' });
    this.result = h('div', { class: 'import-report' });
    this.test = this.button('wizard.test', true);
    this.test.classList.add('primary');
    this.import = this.button('wizard.import', false);
    this.import.hidden = true;
    this.element = h('div', { class: 'wizard-trial' }, h('p', { class: 'section-note' }, translate('wizard.test.lead')),
      this.fault, h('div', { class: 'decision-acts' }, this.test), this.progress, this.result,
      h('div', { class: 'decision-acts' }, this.import));
  }

  /** @param {string} key @param {boolean} isTrial */
  button(key, isTrial) {
    return h('button', {
      type: 'button', class: 'button', 'data-act': isTrial ? 'test' : 'import',
      onclick: (/** @type {Event} */ event) => {
        const button = /** @type {Element} */ (event.currentTarget);
        if (!isBusy(button)) whileBusy([this.test, this.import], () => this.begin(isTrial, key));
      },
    }, icon(isTrial ? 'check' : 'upload'), translate(key));
  }

  /** The result no longer belongs to the choices. */
  outdate() {
    if (!this.result.childElementCount) return;
    fill(this.result);
    this.import.hidden = true;
    this.test.classList.add('primary');
    this.progress.textContent = translate('wizard.test.again');
  }

  /** @param {boolean} isTrial @param {string} key */
  async begin(isTrial, key) {
    const mapping = this.given.mapping();
    if (!mapping) return;
    const file = this.given.file();
    const form = new FormData();
    form.append('mapping_file', JSON.stringify(mapping));
    if (isTrial) form.append('dry_run', 'true');
    form.append('file', file);
    this.progress.textContent = translate('admin.imports.sending', { file: file.name });
    let id = 0;
    const isSent = sizeFault(file) === null && await steadily(saidIn(this.fault), async () => {
      ({ id } = (await send('POST', '/api/admin/imports', { form })).body);
    }, { again: translate(key) });
    this.progress.textContent = '';
    if (isSent) await this.watch(id);
  }

  /**
   * Shows the report as soon as all rows are read.
   * @param {number} id
   */
  async watch(id) {
    for (;;) {
      try {
        /** @type {ImportRun} */
        const run = await getJSON(`/api/admin/imports/${id}?severity=refused&limit=${SHOWN}`);
        if (run.state !== 'running') {
          const flagged = await getJSON(`/api/admin/imports/${id}?severity=flagged&limit=${SHOWN}`);
          this.show(run, flagged);
          return;
        }
        this.progress.textContent = translate('wizard.running');
      } catch (error) {
        if (!(error instanceof Outage) || connection.reach === 'fine') {
          this.progress.textContent = trouble(error);
          return;
        }
        await connection.recovered();
      }
      await new Promise((resolve) => { setTimeout(resolve, WATCH); });
    }
  }

  /** @param {ImportRun} run with the refused rows @param {ImportRun} flagged the same with the flagged rows */
  show(run, flagged) {
    const isGood = run.state === 'done' && run.added + run.changed + run.unchanged > 0;
    const heading = h('h3', { tabindex: '-1' }, translate(run.dry_run ? 'wizard.result.test' : 'wizard.result.import'));
    this.progress.textContent = '';
    fill(this.result, heading,
      h('p', {}, h('span', { class: 'chip' }, stateWords(run.state)), ' ',
        run.dry_run ? translate('admin.imports.trial') : ''),
      run.error && h('p', { class: 'field-fault' }, run.error), countsOf(run), keysChanged(run),
      ...changesOf(run), ...rows('refused', run), ...rows('flagged', flagged), ...columnsOf(run), this.after(run));
    this.import.hidden = !run.dry_run || !isGood;
    this.test.classList.toggle('primary', this.import.hidden && run.dry_run);
    this.import.classList.add('primary');
    heading.focus();
    if (!run.dry_run && run.state === 'done') this.given.imported();
  }

  /** @param {ImportRun} run */
  after(run) {
    const href = `/admin/imports/${run.id}`;
    const words = translate('admin.import.link');
    // The report of a test opens in another tab, because this page would lose the file.
    if (run.dry_run) return h('p', {}, h('a', { href, target: '_blank' }, words, ' ', icon('external')));
    const everything = h('a', { class: 'button primary', href }, icon('list'), words);
    return h('p', { class: 'decision-acts' }, everything,
      run.state === 'done' && h('a', { class: 'button', href: `/admin/imports?repeat=${run.id}`, 'data-act': 'repeat' },
        icon('clock'), translate('admin.import.repeat')),
      h('a', { class: 'button', href: '/' }, icon('map'), translate('wizard.see')),
      h('a', { class: 'button', href: '/admin/imports' }, translate('wizard.imports')));
  }
}

/**
 * The hint that the ids of a list have changed, if as many devices are new as are missing.
 * @param {ImportRun} run
 */
function keysChanged({ dry_run: isTrial, added, gone }) {
  return isTrial && gone > 0 && added >= gone * 0.8 && added <= gone * 1.25
    ? h('p', { class: 'wizard-warning' }, icon('warning'), h('span', {}, translate('wizard.result.keys'))) : null;
}

/**
 * The first rows with an outcome, with the row number and the reason.
 * @param {'refused' | 'flagged'} severity @param {ImportRun} run
 */
function rows(severity, { notes = [], notes_total: total = 0 }) {
  if (!notes.length) return [];
  return [
    h('h4', {}, translate(`wizard.first.${severity}`, {
      shown: formatNumber(notes.length, language()), total: formatNumber(total, language()),
    })), notesTable(notes),
  ];
}
