// @ts-check
// The coordinate system of positions that are no degrees: those that fit the numbers, or a code.

import { fill, h } from '../dom.js';
import { selectField, textField } from '../forms/fields.js';
import { translate } from '../i18n.js';
import { systemsFor } from './systems.js';

/** @typedef {import('./list.js').List} List */
/** @typedef {import('./choices.js').Choices} Choices */

const OTHER = 'other';
const CODE = /^(EPSG|ESRI):\d{2,6}$/i;

export class SystemField {
  /** @param {List} list @param {Choices} choices @param {() => void} changed */
  constructor(list, choices, changed) {
    this.names = [list.file, ...list.columns.map(({ column }) => column)];
    this.choices = choices;
    this.changed = changed;
    this.said = h('p', { role: 'status' });
    this.fields = h('div', { class: 'wizard-pair' });
    this.element = h('div', { class: 'wizard-system' }, this.fields, this.said);
    this.element.hidden = true;
  }

  /**
   * @param {readonly ([number, number] | null)[]} pairs x and y
   * @param {boolean} isNeeded whether they are no degrees
   */
  show(pairs, isNeeded) {
    const { choices } = this;
    const current = choices.input.crs ?? '';
    this.element.hidden = !isNeeded && !current;
    if (this.element.hidden) return;
    const known = systemsFor(pairs, this.names);
    const isOther = current !== '' && !known.some(({ code }) => code === current);
    if (this.fields.contains(document.activeElement)) return;
    const select = selectField({
      name: 'crs', label: translate('wizard.crs'), note: translate('wizard.crs.note'), value: isOther ? OTHER : current,
      options: [['', translate('wizard.choose')],
        ...known.map(({ code, name }) => /** @type {[string, string]} */ ([code, `${name} (${code})`])),
        [OTHER, translate('wizard.crs.other')]],
    });
    const text = textField({
      name: 'crs-code', label: translate('wizard.crs.code'), value: isOther ? current : '', most: 20, note: null,
      check: (code) => (CODE.test(code) ? null : translate('wizard.crs.code.wrong')),
    });
    text.element.hidden = !isOther;
    select.control.addEventListener('change', () => {
      const { value } = select.control;
      text.element.hidden = value !== OTHER;
      if (value === OTHER) text.control.focus();
      else this.choose(value);
    });
    text.control.addEventListener('change', () => {
      if (CODE.test(text.control.value.trim())) this.choose(text.control.value.trim().toUpperCase());
    });
    fill(this.fields, select.element, text.element);
    if (!current) this.said.textContent = '';
  }

  /** @param {string} code */
  choose(code) {
    if (code) this.choices.input.crs = code;
    else delete this.choices.input.crs;
    this.said.textContent = '';
    this.changed();
  }

  /**
   * Says how the numbers are read.
   * @param {string | null} name null if the server does not know the system
   */
  named(name) {
    this.said.textContent = name === null ? translate('wizard.crs.unknown') : translate('wizard.crs.read', { name });
  }
}
