// @ts-check
// Form for a whole device, in the sections of its page. Each question shows the current value and
// expands into its field.

import { answer, flatten, OPERATOR, operatorOf, questionOf, SECTIONS } from '../devices/record.js';
import { h, fill, icon } from '../dom.js';
import { textField } from '../fields/text.js';
import { plural, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { answered, assumedOf, changedQuestions, isEmpty, isWorthKeeping, putBack, vouchedFor, wanted } from './edit.js';
import { questionField } from './fields.js';
import { Row } from './row.js';
import { changeList } from './words.js';

/** @typedef {import('./edit.js').Edit} Edit */
/** @typedef {import('../geography.js').Position} Position */
/**
 * @typedef {object} FormContext
 * @property {() => Edit} edit
 * @property {(edit: Edit) => void} update stores an edit and shows it in the form
 * @property {() => void} save
 * @property {() => void} discard
 * @property {boolean} isSignedIn
 * @property {() => Promise<Position | null>} truePlace true position of the device, only for its author and moderators
 * @property {string | null} only single question to show first
 */

const MOST_COMMENT = 500; // characters

export class EditForm {
  /** @param {FormContext} context */
  constructor(context) {
    this.context = context;
    /** @type {Map<string, Row>} */
    this.rows = new Map();
    this.notice = h('div', { class: 'edit-notice' });
    this.summary = h('div', { class: 'edit-summary', id: 'edit-summary' });
    this.count = h('p', { class: 'edit-count', 'aria-live': 'polite' });
    this.trouble = h('div', { class: 'complaint', role: 'alert', id: 'edit-trouble' });
    this.trouble.hidden = true;
    this.comment = textField({
      value: context.edit().comment, labelledBy: '',
      changed: (words) => context.update({ ...context.edit(), comment: words ?? '', at: Date.now() }),
    }, { most: MOST_COMMENT, long: true, label: translate('edit.comment') });
    this.saveButton = /** @type {HTMLButtonElement} */ (h('button', {
      type: 'button', class: 'button primary', id: 'edit-save', onclick: () => this.save(),
    },
      icon(context.isSignedIn ? 'check' : 'sign-in'),
      translate(context.isSignedIn ? 'edit.save' : 'edit.save.signed_out')));
    this.discardButton = h('button', { type: 'button', class: 'button', onclick: context.discard }, icon('trash'),
      translate('edit.discard'));
    const sections = SECTIONS.map(({ id, fields }) => h('section', {
      class: 'edit-section', 'aria-labelledby': `section-${id}`,
    },
      h('h2', { id: `section-${id}` }, translate(`device.${id}`)),
      ...fields.map((question) => this.row(question).element)));
    this.all = h('div', { class: 'edit-all' }, ...sections);
    this.element = h('div', { class: 'edit-form' },
      this.notice, this.all, this.more(),
      h('section', { class: 'edit-section', 'aria-labelledby': 'edit-finish' },
        h('h2', { id: 'edit-finish' }, translate('edit.finish')), this.summary, this.comment.element,
        !context.isSignedIn && h('p', { class: 'section-note' }, translate('edit.sign_in_last'))),
      h('div', { class: 'edit-bar' }, this.trouble, this.count,
        h('div', { class: 'form-acts' }, this.saveButton, this.discardButton)));
    this.single(context.only);
    this.draw();
  }

  /** @param {string} question */
  row(question) {
    const { context } = this;
    const row = new Row({
      question,
      state: () => {
        const edit = context.edit();
        return {
          value: answer(wanted(edit), question), before: answer(flatten(edit.base), question),
          isChanged: changedQuestions(edit).includes(question), isAssumed: assumedOf(edit.base).includes(question),
          isVouched: edit.vouched.includes(question),
        };
      },
      makeField: async ({ labelledBy, settled }) => questionField(question, {
        value: this.fieldValue(question), labelledBy, settled, properties: this.properties(),
        position: question === 'place' || question === 'precision' ? await this.place() : null,
        changed: (value) => context.update(answered(context.edit(), question, value, Date.now())),
      }),
      putBack: () => {
        context.update(putBack(context.edit(), question, Date.now()));
        row.reopen();
        row.button.focus();
        announce(translate('edit.row.is_back'));
      },
      vouch: (isTrue) => context.update(vouchedFor(context.edit(), question, isTrue, Date.now())),
    });
    this.rows.set(question, row);
    return row;
  }

  /** @param {string} question */
  fieldValue(question) {
    return answer(wanted(this.context.edit()), question);
  }

  /** Properties of the device with the changes applied, for fields that depend on others. */
  properties() {
    const flat = wanted(this.context.edit());
    const rest = Object.entries(flat).filter(([field]) => !OPERATOR.some((part) => field === `operator.${part}`));
    return { ...Object.fromEntries(rest), operator: operatorOf(flat) };
  }

  /**
   * True position of the device, as far as known here.
   * @returns {Promise<Position | null>}
   */
  async place() {
    return this.context.edit().changes.place ?? await this.context.truePlace()
      ?? flatten(this.context.edit().base).place;
  }

  /**
   * Shows a single question, and a button for all others.
   * @param {string | null} only
   */
  single(only) {
    const row = only ? this.rows.get(only) : undefined;
    if (!row) return;
    this.element.classList.add('is-single');
    row.element.classList.add('is-only');
    row.element.closest('.edit-section')?.classList.add('has-only');
  }

  more() {
    return h('p', { class: 'edit-more' }, h('button', {
      type: 'button', class: 'button', onclick: () => {
        this.element.classList.remove('is-single');
        this.rows.values().next().value?.button.focus();
      },
    }, icon('list'), translate('edit.more')));
  }

  /** Opens the question named in the URL. */
  async begin() {
    if (this.context.only) await this.rows.get(this.context.only)?.open();
  }

  /** Shows the current edit. Open fields remain unchanged. */
  draw() {
    const edit = this.context.edit();
    for (const row of this.rows.values()) row.draw();
    const count = changedQuestions(edit).length + edit.vouched.length;
    this.count.textContent = count ? plural('edit.count', count) : translate('edit.nothing');
    this.discardButton.hidden = !isWorthKeeping(edit);
    fill(this.summary,
      isEmpty(edit) ? h('p', { class: 'section-note' }, translate('edit.nothing.why')) : changeList(edit));
  }

  save() {
    this.say([]);
    for (const row of this.rows.values()) if (!row.check()) return;
    if (this.comment.check?.() === false) return;
    if (isEmpty(this.context.edit())) {
      this.say([translate('edit.nothing.why')]);
      return;
    }
    this.context.save();
  }

  /** @param {boolean} isBusy */
  busy(isBusy) {
    this.saveButton.disabled = isBusy;
    this.saveButton.classList.toggle('is-busy', isBusy);
  }

  /**
   * Shows an error above the button.
   * @param {(Node | string)[]} words empty: no error
   */
  say(words) {
    this.trouble.hidden = words.length === 0;
    fill(this.trouble, words.length > 0 && icon('warning'), words.length > 0 && h('div', {}, ...words));
  }

  /**
   * Shows a notice at the top of the form.
   * @param {(Node | string)[]} words
   */
  tell(words) {
    fill(this.notice,
      words.length > 0 && h('div', { class: 'edit-news', role: 'status' }, icon('info'), h('div', {}, ...words)));
  }

  /**
   * Shows each error of the server at its field. An error without a field appears above the button.
   * @param {{field: string, detail: string}[]} faults
   */
  async complain(faults) {
    const rest = [];
    let first = true;
    for (const { field, detail } of faults) {
      const question = questionFor(field);
      const row = question === null ? undefined : this.rows.get(question);
      if (field === 'comment') this.comment.complain(detail);
      else if (row) {
        if (this.element.classList.contains('is-single') && !row.element.classList.contains('is-only')) {
          this.element.classList.remove('is-single');
        }
        await row.complain(detail);
        if (first) row.element.scrollIntoView({ block: 'center' });
      } else rest.push(h('p', {}, detail));
      first = false;
    }
    if (rest.length) this.say(rest);
  }
}

/**
 * The question for a field name of the API, for example «operator» for «properties.operator.name».
 * @param {string} field
 */
function questionFor(field) {
  const [name] = field.replace(/\[\d+\]/g, '').split(/[./]/).filter((part) => part && part !== 'properties');
  if (['geometry', 'coordinates', 'longitude', 'latitude'].includes(name)) return 'place';
  return name ? questionOf(name) : null;
}
