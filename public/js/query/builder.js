// @ts-check
// The conditions of a query, one row each.

import { fill, h, icon, iconButton } from '../dom.js';
import { segments } from '../fields/segments.js';
import { translate } from '../i18n.js';
import { LISTS, OPERATORS, valueCount } from './conditions.js';
import { codesOf, codeText, kindOf, listed, nameOf } from './properties.js';
import { valueInputs } from './value-inputs.js';

/** @typedef {import('./conditions.js').Condition} Condition */
/** @typedef {import('./conditions.js').Query} Query */

const USUAL = 'category';
const ALL = 'all';
const ANY = 'any';

export class Builder {
  /** @param {(query: Query) => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Query} */
    this.query = { isAny: false, conditions: [] };
    this.rows = h('ol', { class: 'query-rows' });
    this.joint = segments({
      legend: translate('query.joint'), look: 'query-joint', chosen: ALL,
      options: [ALL, ANY].map((value) => ({ value, words: translate(`query.${value}`) })),
      choose: (value) => this.change({ isAny: value === ANY }, false),
    });
    this.add = h('button', { type: 'button', class: 'button', onclick: () => this.addRow() }, icon('plus'),
      translate('query.add'));
    this.element = h('div', { class: 'query-builder' }, this.joint.element, this.rows, this.add);
    this.draw();
  }

  /**
   * Shows other conditions.
   * @param {Query} query
   */
  load(query) {
    this.query = query;
    this.draw();
  }

  /**
   * @param {Partial<Query>} change @param {boolean} [isRedrawn] false: the rows keep their elements and the focus
   */
  change(change, isRedrawn = true) {
    this.query = { ...this.query, ...change };
    if (isRedrawn) this.draw();
    this.changed(this.query);
  }

  addRow() {
    this.change({ conditions: [...this.query.conditions, empty(USUAL)] });
    this.focusRow(this.query.conditions.length - 1);
  }

  /** @param {number} index */
  removeRow(index) {
    this.change({ conditions: this.query.conditions.filter((_, at) => at !== index) });
    if (this.query.conditions.length) this.focusRow(Math.max(0, index - 1));
    else this.add.focus();
  }

  /** @param {number} index @param {string} [part] */
  focusRow(index, part = '.query-property') {
    /** @type {HTMLElement | null | undefined} */ (this.rows.children[index]?.querySelector(part))?.focus();
  }

  /** @param {number} index @param {Condition} condition @param {boolean} [isRedrawn] */
  replace(index, condition, isRedrawn = true) {
    this.change({ conditions: this.query.conditions.map((old, at) => (at === index ? condition : old)) }, isRedrawn);
  }

  draw() {
    const { isAny, conditions } = this.query;
    this.joint.element.hidden = conditions.length < 2;
    this.joint.show(isAny ? ANY : ALL);
    fill(this.rows, ...conditions.map((condition, index) => this.row(condition, index)));
    this.rows.hidden = !conditions.length;
  }

  /** @param {Condition} condition @param {number} index */
  row(condition, index) {
    const { property, operator } = condition;
    const kind = kindOf(property) ?? 'text';
    const number = translate('query.condition', { number: index + 1 });
    const properties = h('select', {
      class: 'text-input query-property', 'aria-label': translate('query.property'),
      onchange: (/** @type {Event} */ event) => {
        this.replace(index, empty(/** @type {HTMLSelectElement} */ (event.target).value));
        this.focusRow(index);
      },
    }, ...listed().map((name) => h('option', { value: name, selected: name === property }, nameOf(name))));
    const operators = OPERATORS[kind].length > 1 && h('select', {
      class: 'text-input query-operator', 'aria-label': translate('query.operator'),
      onchange: (/** @type {Event} */ event) => {
        const next = /** @type {HTMLSelectElement} */ (event.target).value;
        this.replace(index, { property, operator: next, values: carried(condition, next) });
        this.focusRow(index, '.query-operator');
      },
    }, ...OPERATORS[kind].map((one) => h('option', { value: one, selected: one === operator },
      translate(`query.operator.${one}`))));
    const values = LISTS.includes(operator)
      ? this.list(condition, index)
      : valueInputs(condition, kind, (next, isRedrawn) => {
        this.replace(index, { ...condition, values: next }, isRedrawn);
      });
    return h('li', {}, h('fieldset', { class: 'query-row' }, h('legend', { class: 'visually-hidden' }, number),
      properties, operators, h('div', { class: 'query-values' }, values),
      iconButton('close', translate('query.remove', { condition: number }), { onclick: () => this.removeRow(index) })));
  }

  /**
   * Chosen codes, and a list to add more.
   * @param {Condition} condition @param {number} index
   */
  list({ property, operator, values }, index) {
    const set = (/** @type {string[]} */ next) => {
      this.replace(index, { property, operator, values: next });
      this.focusRow(index, '.query-code');
    };
    const left = codesOf(property).filter(({ code }) => !values.includes(code));
    return [
      h('ul', { class: 'chips', hidden: !values.length }, ...values.map((code) => h('li', {}, h('button', {
        type: 'button', class: 'chip is-on', onclick: () => set(values.filter((other) => other !== code)),
        'aria-label': translate('query.remove_value', { value: codeText(property, code) }),
      }, h('span', {}, codeText(property, code)), icon('close'))))),
      h('select', {
        class: 'text-input query-code', 'aria-label': translate('query.value'),
        onchange: (/** @type {Event} */ event) => set([
          ...values, /** @type {HTMLSelectElement} */ (event.target).value,
        ]),
      }, h('option', { value: '', selected: true, disabled: true },
        translate(values.length ? 'query.another' : 'query.choose')),
      ...left.map(({ code, text }) => h('option', { value: code }, text))),
    ];
  }
}

/** @param {string} property @returns {Condition} */
function empty(property) {
  return { property, operator: OPERATORS[kindOf(property) ?? 'text'][0], values: [] };
}

/**
 * The values that remain when the operator changes.
 * @param {Condition} condition @param {string} next
 */
function carried({ operator, values }, next) {
  const count = valueCount(next);
  if (count === null) return LISTS.includes(operator) ? values : [];
  return LISTS.includes(operator) ? [] : values.slice(0, count);
}
