// @ts-check
// One question of the form: the current value, and an expandable field to correct it.

import { saidValue } from '../devices/said-value.js';
import { fieldName } from '../devices/value-words.js';
import { fill, h, icon } from '../dom.js';
import { fieldWords } from '../glossary/definition.js';
import { translate } from '../i18n.js';

/** @typedef {import('./fields.js').FormField} Field */
/**
 * @typedef {object} RowContext
 * @property {string} question
 * @property {() => {value: unknown, before: unknown, isChanged: boolean, isAssumed: boolean, isVouched: boolean}} state
 * @property {(row: {labelledBy: string, settled: () => void}) => Promise<Field>} makeField
 * @property {() => void} putBack
 * @property {(isTrue: boolean) => void} vouch
 */

export class Row {
  /** @param {RowContext} context */
  constructor(context) {
    const { question } = context;
    this.context = context;
    this.question = question;
    /** @type {Field | null} */
    this.field = null;
    this.shown = '';
    this.label = h('h3', { class: 'edit-label', id: `label-${question}` }, fieldWords(question, fieldName(question)));
    this.value = h('div', { class: 'edit-value' });
    this.body = h('div', { class: 'edit-body', id: `body-${question}` });
    this.body.hidden = true;
    this.button = h('button', {
      type: 'button', class: 'button edit-open', id: `open-${question}`, 'aria-expanded': 'false',
      'aria-controls': this.body.id, onclick: () => this.toggle(),
    });
    this.element = h('div', {
      class: 'edit-row', id: `row-${question}`, role: 'group', 'aria-labelledby': this.label.id,
    },
      h('div', { class: 'edit-head' }, this.label, this.button, this.value), this.body);
    this.draw();
  }

  get isOpen() {
    return !this.body.hidden;
  }

  /**
   * Shows the value with the changes applied. Unchanged elements remain in the page, because
   * replacing one during a press would lose the click.
   */
  draw() {
    const state = this.context.state();
    const shown = JSON.stringify([state, this.isOpen]);
    if (shown === this.shown) return;
    this.shown = shown;
    const { value, before, isChanged, isAssumed, isVouched } = state;
    const known = value !== null && value !== undefined;
    const words = translate(this.isOpen ? 'edit.row.close' : known ? 'edit.row.correct' : 'edit.row.say');
    if (!this.button.textContent?.startsWith(words)) {
      fill(this.button, icon(this.isOpen ? 'up' : 'edit'), words,
        h('span', { class: 'visually-hidden' }, ` ${fieldName(this.question)}`));
    }
    this.element.classList.toggle('is-changed', isChanged);
    fill(this.value,
      h('p', {}, saidValue(this.question, value)),
      isChanged && h('p', { class: 'edit-was' }, translate('edit.row.was'), ' ', saidValue(this.question, before)),
      isAssumed && !isChanged && this.assumed(isVouched),
      isChanged && h('button', { type: 'button', class: 'chip', onclick: () => this.context.putBack() },
        icon('restore'), translate('edit.row.put_back'),
        h('span', { class: 'visually-hidden' }, ` ${fieldName(this.question)}`)));
  }

  /** @param {boolean} isVouched */
  assumed(isVouched) {
    return h('div', { class: 'edit-assumed' },
      h('span', { class: 'assumed' }, translate('device.assumed')),
      h('button', {
        type: 'button', class: `chip ${isVouched ? 'is-on' : ''}`.trim(), 'aria-pressed': String(isVouched),
        id: `vouch-${this.question}`,
        onclick: () => {
          this.context.vouch(!isVouched);
          document.getElementById(`vouch-${this.question}`)?.focus();
        },
      }, icon('check'), translate('edit.row.vouch'),
      h('span', { class: 'visually-hidden' }, ` ${fieldName(this.question)}`)));
  }

  async toggle() {
    if (this.isOpen) this.close();
    else await this.open();
  }

  /** Expands the field, created from the current value. */
  async open() {
    if (this.isOpen) return;
    this.body.hidden = false;
    this.button.setAttribute('aria-expanded', 'true');
    this.draw();
    this.field = await this.context.makeField({ labelledBy: this.label.id, settled: () => this.settle() });
    fill(this.body, this.field.element);
    this.field.shown?.();
    this.field.focus();
  }

  close() {
    this.field?.left?.();
    this.field = null;
    this.body.hidden = true;
    fill(this.body);
    this.button.setAttribute('aria-expanded', 'false');
    this.draw();
  }

  /** Collapses the row after a complete answer and moves the focus to its button. */
  settle() {
    this.close();
    this.button.focus();
  }

  /** Creates the open field again from the current value. */
  async reopen() {
    if (!this.isOpen) return;
    this.close();
    await this.open();
  }

  /**
   * Shows an error at the field.
   * @param {string} words
   */
  async complain(words) {
    await this.open();
    this.field?.complain(words);
    this.field?.focus();
  }

  /** Whether the entered value is valid. The field shows the error otherwise. */
  check() {
    return this.field?.check?.() ?? true;
  }
}
