// @ts-check
// The page on which an operator states its practice and choices for a device.

import { getJSON, Refusal, send } from '../api.js';
import { readDevice } from '../devices/device.js';
import { displayName, prepareName } from '../devices/name.js';
import { same } from '../devices/record.js';
import { VALUE_SCHEMES } from '../devices/value-words.js';
import { ask } from '../dialog.js';
import { byId, fill, h, icon } from '../dom.js';
import { questionField } from '../edit/fields.js';
import { Row } from '../edit/row.js';
import { textField } from '../fields/text.js';
import { steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { laterToast } from '../page/later.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { attempt, notTheirs, operatorAccount } from './lost.js';
import { readStatement, STATED } from './statement.js';

/** @typedef {import('../types').DeviceFeature} DeviceFeature */
/** @typedef {import('../devices/record.js').Flat} Flat */

const id = decodeURIComponent(location.pathname.split('/')[2] ?? '');
const item = `/api/collections/devices/items/${encodeURIComponent(id)}`;
const MOST_NOTE = 2_000; // characters

class StatementForm {
  /** @param {DeviceFeature} feature @param {Flat} before the current statement @param {string} note */
  constructor(feature, before, note) {
    this.feature = feature;
    this.before = before;
    /** @type {Flat} */
    this.values = { ...before };
    this.words = note;
    /** @type {Map<string, Row>} */
    this.rows = new Map();
    this.trouble = h('div', { class: 'complaint', role: 'alert' });
    this.trouble.hidden = true;
    this.note = textField({ value: note, labelledBy: '', changed: (words) => { this.words = words ?? ''; } },
      { most: MOST_NOTE, long: true, label: translate('statement.note') });
    this.button = /** @type {HTMLButtonElement} */ (h('button',
      { type: 'button', class: 'button primary', id: 'statement-save', onclick: () => this.save() }, icon('check'),
      translate('statement.save')));
    this.element = h('div', { class: 'edit-form' },
      h('section', { class: 'edit-section', 'aria-labelledby': 'practice' },
        h('h2', { id: 'practice' }, translate('statement.practice')), ...STATED.map((field) => this.row(field))),
      h('section', { class: 'edit-section', 'aria-labelledby': 'words' },
        h('h2', { id: 'words' }, translate('statement.words')), this.note.element),
      h('div', { class: 'edit-bar' }, this.trouble, h('div', { class: 'form-acts' }, this.button,
        Object.keys(before).length + note.length > 0
          && h('button',
            { type: 'button', class: 'button grave', id: 'statement-remove', onclick: () => this.remove() },
            icon('trash'), translate('statement.remove')))));
  }

  /** @param {string} field */
  row(field) {
    const row = new Row({
      question: field,
      state: () => {
        const [value, before] = [this.values[field] ?? null, this.before[field] ?? null];
        return { value, before, isChanged: !same(field, value, before), isAssumed: false, isVouched: false };
      },
      makeField: ({ labelledBy, settled }) => questionField(field, {
        value: this.values[field] ?? null, labelledBy, settled,
        properties: { ...this.feature.properties, ...this.values },
        changed: (value) => {
          this.values[field] = value;
          row.draw();
        },
      }),
      putBack: () => {
        this.values[field] = this.before[field] ?? null;
        row.reopen();
        row.draw();
        row.button.focus();
      },
      vouch: () => {},
    });
    this.rows.set(field, row);
    return row.element;
  }

  async save() {
    this.complain([]);
    for (const row of this.rows.values()) if (!row.check()) return;
    const json = Object.fromEntries([...STATED.map((field) => [field, this.values[field] ?? null]),
      ['note', this.words.trim() || null]].filter(([, value]) => value !== null));
    if (!Object.keys(json).length) {
      this.complain([translate('statement.nothing')]);
      return;
    }
    this.button.disabled = true;
    const isKept = await steadily(this.voice, () => send('PUT', `${item}/statement`, { json }),
      { refused: (refusal) => this.refused(refusal) });
    this.button.disabled = false;
    if (!isKept) return;
    laterToast('statement.saved');
    location.assign(`/devices/${id}`);
  }

  /** @returns {import('../forms/steadily.js').Voice} */
  get voice() {
    return { say: (words) => this.complain(words ?? []), isWanted: () => this.trouble.isConnected };
  }

  /**
   * Shows the errors next to the fields. Returns whether there were any.
   * @param {Refusal} refusal
   */
  async refused(refusal) {
    const faults = refusal.problem.errors ?? [];
    let isShown = false;
    for (const { field, detail } of faults) {
      const row = this.rows.get(field.split(/[.[]/)[0]);
      if (!row) continue;
      await row.complain(detail);
      if (!isShown) row.element.scrollIntoView({ block: 'center' });
      isShown = true;
    }
    return isShown;
  }

  async remove() {
    const answer = await ask({
      title: translate('statement.remove.title'), words: translate('statement.remove.words'),
      answers: [
        { value: 'keep', label: translate('form.cancel') },
        { value: 'go', label: translate('statement.remove'), look: 'grave' },
      ],
    });
    if (answer !== 'go') return;
    const isGone = await steadily(this.voice, () => send('DELETE', `${item}/statement`), {
      refused: ({ status }) => status === 404, // the response to the first request was lost
    });
    if (!isGone) return;
    laterToast('statement.removed');
    location.assign(`/devices/${id}`);
  }

  /** @param {(Node | string)[]} words empty: no error */
  complain(words) {
    this.trouble.hidden = words.length === 0;
    fill(this.trouble, words.length > 0 && icon('warning'), words.length > 0 && h('div', {}, ...words));
  }
}

async function show() {
  if (!await operatorAccount()) return;
  const [feature, own] = await Promise.all([
    getJSON(item), getJSON('/api/operators/mine'),
    ...[...new Set([...VALUE_SCHEMES, 'bases', 'glossary', 'categories'])].map((name) => scheme(name)),
  ]);
  if (!own) throw new Refusal(404, { status: 404, type: '/problems/no-organisation' });
  const statement = readStatement(feature.properties);
  const isOwn = statement?.operator.id === own.id;
  const device = readDevice(feature);
  await prepareName(device);
  const name = displayName(device);
  document.title = `${translate('statement.title')} · ${name} · ${instanceName()}`;
  fill(byId('content'),
    h('header', { class: 'edit-title' },
      h('h1', { tabindex: '-1' }, translate('statement.title')),
      h('p', { class: 'lead said', dir: 'auto' }, name),
      h('p', { class: 'section-note' }, translate('statement.lead', { name: own.name }))),
    new StatementForm(feature, isOwn && statement ? statement.values : {},
      isOwn && statement ? statement.note ?? '' : '').element);
}

startShell().then(() => {
  byId('back').setAttribute('href', `/devices/${id}`);
  fill(byId('back'), icon('back'), translate('edit.back'));
  return attempt(show, notTheirs);
});
