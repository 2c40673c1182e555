// @ts-check
// The values of one filter: check boxes, each with the number of devices behind it.

import { fill, h, icon } from '../dom.js';
import { newId } from '../fields/field.js';
import { formatNumber } from '../format.js';
import { language, translate } from '../i18n.js';
import { toggled } from '../state.js';
import { allTerms, categoryIcon } from '../taxonomies.js';
import { grouped } from './facets.js';
import { groupToggled, isChosen } from './groups.js';

/** @typedef {import('../state.js').FilterStore} Store */
/** @typedef {import('../taxonomies.js').Term} Term */
/** @typedef {import('./facets.js').Facet} Facet */
/** @typedef {Map<string, number>} Counts */
/**
 * Options of one list, and the list itself.
 * @typedef {{list: HTMLElement, options: Option[]}} Family
 */
/**
 * @typedef {object} Option
 * @property {HTMLElement} element @property {HTMLElement} number @property {string[]} codes
 */

export class FacetOptions {
  /** @param {Facet} facet @param {Map<string, Term>} terms @param {Store} store */
  constructor(facet, terms, store) {
    this.facet = facet;
    this.store = store;
    /** @type {Family[]} */
    this.families = [];
    /** @type {Option[]} groups of categories */
    this.groups = [];
    const groups = grouped(terms.values());
    this.element = groups.some(({ leaves }) => leaves.length) ? this.tree(groups) : this.list([...terms.values()]);
    if (facet.name === 'category') this.element = h('div', { class: 'families' }, this.groupList(), this.element);
  }

  /** @param {Term[]} terms */
  list(terms) {
    const options = terms.map((term) => this.option(term));
    const list = h('div', { class: 'options' }, ...options.map(({ element }) => element));
    this.families.push({ list, options });
    return list;
  }

  /**
   * Top-level terms with their child terms.
   * @param {{root: Term, leaves: Term[]}[]} groups
   */
  tree(groups) {
    const families = groups.filter(({ leaves }) => leaves.length);
    const single = groups.filter(({ leaves }) => !leaves.length);
    return h('div', { class: 'families' },
      ...families.map(({ root, leaves }) => h('div', { class: 'family', role: 'group', 'aria-label': root.label },
        h('p', { class: 'family-name', 'aria-hidden': 'true' }, root.label), this.list(leaves))),
      single.length > 0 && h('div', { class: 'family' },
        h('p', { class: 'family-name' }, translate('filters.more')), this.list(single.map(({ root }) => root))));
  }

  /** Buttons that choose several categories at once. */
  groupList() {
    const { store } = this;
    const buttons = [...allTerms('category_groups')?.values() ?? []].map((group) => {
      const number = h('span', { class: 'option-count' });
      const element = h('button', {
        type: 'button', class: 'chip group-chip', title: group.definition ?? null,
        onclick: () => store.update({ filters: groupToggled(store.current.filters, group) }, 'push'),
      }, icon(group.icon ?? 'other', 'category'), h('span', {}, group.label), number);
      const mark = () => {
        const isOn = isChosen(store.current.filters, group);
        element.setAttribute('aria-pressed', String(isOn));
        element.classList.toggle('is-on', isOn);
      };
      store.subscribe(mark);
      mark();
      this.groups.push({ element, number, codes: group.categories ?? [] });
      return element;
    });
    return h('div', { class: 'chips', role: 'group', 'aria-label': translate('filters.groups') }, ...buttons);
  }

  /** @param {Term} term @returns {Option} */
  option(term) {
    const { facet, store } = this;
    const note = term.definition ? newId('meaning') : null;
    const number = h('span', { class: 'option-count' });
    const box = h('input', {
      'aria-describedby': note,
      type: 'checkbox', class: 'visually-hidden', name: facet.name, value: term.code,
      checked: (store.current.filters[facet.name] ?? []).includes(term.code),
      onchange: () => store.update({ filters: toggled(store.current.filters, facet.name, term.code) }, 'push'),
    });
    const element = h('label', {
      class: facet.icons ? 'option with-icon' : 'option', title: term.definition ?? null,
    }, box, h('span', {}, facet.icons && icon(categoryIcon(term.code), 'category'),
      h('span', { class: 'option-words' }, term.label,
        facet.icons && number, // below the name, which needs the width
        note && h('small', { id: note, class: 'meaning', 'aria-hidden': 'true' }, term.definition ?? '')),
      !facet.icons && number));
    return { element, number, codes: [term.code] };
  }

  /**
   * Shows the number of devices next to every value.
   * @param {Counts} counts
   */
  show(counts) {
    for (const option of [...this.groups, ...this.families.flatMap(({ options }) => options)]) {
      const count = sum(option, counts);
      fill(option.number, formatNumber(count, language()));
      option.element.classList.toggle('is-empty', count === 0);
    }
  }

  /**
   * Puts values without devices last. Only when the dialog opens: later they would move under the finger.
   * @param {Counts} counts
   */
  sort(counts) {
    const isEmpty = (/** @type {Option} */ option) => sum(option, counts) === 0;
    for (const { list, options } of this.families) {
      list.append(...[...options.filter((one) => !isEmpty(one)), ...options.filter(isEmpty)].map((one) => one.element));
    }
    const boxes = this.families.filter(({ list }) => list.parentElement?.classList.contains('family'));
    for (const { list, options } of boxes) {
      if (options.every(isEmpty)) list.parentElement?.parentElement?.append(list.parentElement);
    }
  }
}

/** @param {Option} option @param {Counts} counts */
function sum({ codes }, counts) {
  return codes.reduce((total, code) => total + (counts.get(code) ?? 0), 0);
}
