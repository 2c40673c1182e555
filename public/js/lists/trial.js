// @ts-check
// The last step of a proposal: a trial with the devices on a map and the refused rows with reasons, a comment, and
// sending.

import { send } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { isBusy, saidIn, steadily, whileBusy } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { notesTable } from '../mapping/report.js';
import { sizeFault } from '../mapping/upload-size.js';
import { ProposedDevices } from './devices.js';
import { LONGEST_FORM, number, PROPOSALS } from './proposals.js';

/** @typedef {import('./proposals.js').ProposedDevice} ProposedDevice */
/** @typedef {import('../mapping/report.js').Note} Note */
/**
 * @typedef {object} Trial
 * @property {number} rows @property {number} devices @property {number} flagged
 * @property {number} skipped @property {number} refused @property {number} maximum
 * @property {Note[]} notes @property {ProposedDevice[]} proposed
 */

const COUNTS = /** @type {const} */ (['rows', 'devices', 'flagged', 'skipped', 'refused']);
const SHOWN = 10; // refused rows
const LONGEST_COMMENT = 1_000;

export class ProposalTrial {
  /** @param {import('../mapping/trial-part.js').Given} given */
  constructor(given) {
    this.given = given;
    /** @type {ProposedDevices | null} */
    this.devices = null;
    this.fault = h('p', { class: 'complaint', role: 'alert' });
    this.fault.hidden = true;
    this.progress = h('p', { role: 'status' });
    this.result = h('div', { class: 'import-report' });
    this.test = h('button', { type: 'button', class: 'button primary', 'data-act': 'test',
      onclick: () => this.press(this.test, true) }, icon('check'), translate('lists.try'));
    this.send = h('button', { type: 'button', class: 'button primary', 'data-act': 'send',
      onclick: () => this.press(this.send, false) }, icon('upload'), translate('lists.send'));
    this.comment = /** @type {HTMLTextAreaElement} */ (h('textarea', {
      id: 'lists-comment', class: 'text-input', rows: '3', maxlength: String(LONGEST_COMMENT),
      'aria-describedby': 'lists-comment-note',
    }));
    this.sending = h('div', { class: 'lists-sending' },
      h('div', { class: 'field' },
        h('label', { class: 'field-label', for: 'lists-comment' }, translate('lists.comment')),
        h('p', { class: 'field-note', id: 'lists-comment-note' }, translate('lists.comment.note')), this.comment),
      h('p', { class: 'section-note' }, translate('lists.send.note')),
      h('div', { class: 'decision-acts' }, this.send));
    this.sending.hidden = true;
    this.element = h('div', { class: 'wizard-trial' }, h('p', { class: 'section-note' }, translate('lists.try.lead')),
      h('div', { class: 'decision-acts' }, this.test), this.progress, this.result, this.sending, this.fault);
  }

  /** The result no longer belongs to the choices. */
  outdate() {
    if (!this.result.childElementCount) return;
    this.devices?.end();
    fill(this.result);
    this.sending.hidden = true;
    this.test.classList.add('primary');
    this.progress.textContent = translate('wizard.test.again');
  }

  /** @param {Element} button @param {boolean} isTrial */
  press(button, isTrial) {
    if (!isBusy(button)) whileBusy([this.test, this.send], () => this.begin(isTrial));
  }

  /** @param {boolean} isTrial */
  async begin(isTrial) {
    const mapping = this.given.mapping();
    if (!mapping) return;
    const file = this.given.file();
    const voice = saidIn(this.fault);
    const tooLarge = sizeFault(file, LONGEST_FORM);
    voice.say(tooLarge ? [tooLarge] : null);
    if (tooLarge) return;
    const form = new FormData();
    form.append('mapping_file', JSON.stringify(mapping));
    if (isTrial) form.append('dry_run', 'true');
    else if (this.comment.value.trim()) form.append('comment', this.comment.value.trim());
    form.append('file', file);
    this.progress.textContent = translate('admin.imports.sending', { file: file.name });
    /** @type {any} */
    let body = null;
    await steadily(voice, async () => { ({ body } = await send('POST', PROPOSALS, { form })); },
      { again: translate(isTrial ? 'lists.try' : 'lists.send') });
    this.progress.textContent = '';
    if (!body) return;
    if (isTrial) this.show(body);
    else {
      this.given.imported();
      location.assign(`/lists/${body.id}`);
    }
  }

  /** @param {Trial} trial */
  show(trial) {
    this.devices?.end();
    this.devices = trial.proposed.length ? new ProposedDevices(trial.proposed, {}) : null;
    const heading = h('h3', { tabindex: '-1' }, translate('lists.result'));
    fill(this.result, heading, h('dl', { class: 'facts' }, ...COUNTS.map((name) => h('div', {},
      h('dt', {}, translate(`lists.count.${name}`)), h('dd', {}, number(trial[name]))))),
    ...refusedRows(trial.notes), this.devices?.element ?? h('p', {}, translate('lists.no_devices')));
    this.devices?.start();
    this.sending.hidden = trial.devices === 0;
    this.test.classList.toggle('primary', trial.devices === 0);
    heading.focus();
  }
}

/** @param {Note[]} notes */
function refusedRows(notes) {
  if (!notes.length) return [];
  const shown = notes.slice(0, SHOWN);
  return [h('h4', {}, translate('lists.first_refused', { shown: number(shown.length) })), notesTable(shown)];
}
