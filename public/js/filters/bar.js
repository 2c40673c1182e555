// @ts-check
// Active filters as removable chips, and the button that opens all filters.

import { fill, h, icon } from '../dom.js';
import { plural, translate } from '../i18n.js';
import { toggled } from '../state.js';
import { allTerms, categoryIcon } from '../taxonomies.js';
import { FACETS } from './facets.js';
import { groupToggled, summed } from './groups.js';
import { filterLabel } from './words.js';

/** @typedef {import('../state.js').FilterStore} Store */

/**
 * The button that opens all filters, with the number of active ones.
 * @param {Store} store @param {() => void} openDialog @param {string} [look] its class
 */
export function filterButton(store, openDialog, look = 'filters-open') {
  const button = h('button', {
    type: 'button', class: `button ${look}`, 'aria-haspopup': 'dialog', onclick: openDialog,
  });
  const draw = () => {
    const count = activeFilters(store).length;
    fill(button, icon('filter'), h('span', { class: 'filters-word' }, translate('filters.open')),
      count > 0 && h('span', { class: 'count' }, String(count)));
    button.setAttribute('aria-label', count ? plural('filters.open_count', count) : translate('filters.open'));
  };
  store.subscribe(draw);
  draw();
  return button;
}

/**
 * @param {HTMLElement} element
 * @param {Store} store
 * @param {() => void} openDialog
 * @param {() => Active[]} others further conditions of the list, such as the chosen place; `draw` shows a change
 * @param {...HTMLElement} buttons further buttons
 */
export function filterBar(element, store, openDialog, others, ...buttons) {
  const chips = h('ul', { class: 'chips active-filters', 'aria-label': translate('filters.active') });
  element.append(filterButton(store, openDialog), ...buttons, chips);
  const draw = () => {
    const active = activeFilters(store);
    fill(chips, ...active.map(chip), ...others().map(chip), ...spot(store).map(chip),
      active.length > 1 && h('li', {}, h('button', {
        type: 'button', class: 'chip chip-reset', onclick: () => resetFilters(store),
      }, translate('filters.reset'))));
    chips.hidden = !chips.children.length;
  };
  store.subscribe(draw);
  draw();
  return { draw };
}

/** @param {Store} store */
export function resetFilters(store) {
  store.update({ filters: {}, words: '', filter: '' }, 'push');
}

/**
 * An active filter, as its chip shows it.
 * @typedef {object} Active
 * @property {string} text
 * @property {() => void} remove
 * @property {string | null} [symbol] of a category
 * @property {string} [sign] another symbol
 */

/** @param {Active} active */
function chip({ text, remove, symbol, sign }) {
  return h('li', {}, h('button', {
    type: 'button', class: 'chip is-on', onclick: remove, 'aria-label': translate('filters.remove', { filter: text }),
  }, symbol && icon(symbol, 'category'), sign && icon(sign), h('span', {}, text), icon('close')));
}

/**
 * The active filters. A group of categories, such as all cameras, is one of them.
 * @param {Store} store
 * @returns {Active[]}
 */
function activeFilters(store) {
  const { filters, words, filter } = store.current;
  const { groups, categories } = summed(filters, allTerms('category_groups')?.values() ?? []);
  const order = FACETS.map((facet) => facet.name);
  const names = Object.keys(filters).sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return [
    ...(words ? [{ text: filterLabel('q', words), remove: () => store.update({ words: '' }, 'push') }] : []),
    ...(filter ? [{ text: translate('filters.query'), remove: () => store.update({ filter: '' }, 'push') }] : []),
    ...groups.map((group) => ({
      text: group.label, symbol: group.icon ?? null,
      remove: () => store.update({ filters: groupToggled(store.current.filters, group) }, 'push'),
    })),
    ...names.flatMap((name) => (name === 'category' ? categories : filters[name]).map((code) => ({
      text: filterLabel(name, code),
      remove: () => store.update({ filters: toggled(store.current.filters, name, code) }, 'push'),
      symbol: name === 'category' ? categoryIcon(code) : null,
    }))),
  ];
}

/** @param {Store} store @returns {Active[]} */
function spot(store) {
  return store.current.spot
    ? [{ text: translate('spot.chip'), remove: () => store.update({ spot: null }, 'push') }] : [];
}
