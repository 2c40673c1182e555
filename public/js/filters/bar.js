// @ts-check
// Active filters as removable chips, and the button that opens all filters.

import { fill, h, icon } from '../dom.js';
import { formatCountry } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { filterCount, toggled } from '../state.js';
import { categoryIcon, label } from '../taxonomies.js';
import { FACETS, NAMED, schemeOf } from './facets.js';

/** @typedef {import('../state.js').FilterStore} Store */

/**
 * @param {HTMLElement} element
 * @param {Store} store
 * @param {() => void} openDialog
 * @param {...HTMLElement} buttons further buttons
 */
export function filterBar(element, store, openDialog, ...buttons) {
  const button = h('button', {
    type: 'button', class: 'button filters-open', 'aria-haspopup': 'dialog', onclick: openDialog,
  });
  const chips = h('ul', { class: 'chips active-filters', 'aria-label': translate('filters.active') });
  element.append(button, ...buttons, chips);
  const draw = () => {
    const state = store.current;
    const count = filterCount(state);
    fill(button, icon('filter'), translate('filters.open'), count > 0 && h('span', { class: 'count' }, String(count)));
    button.setAttribute('aria-label', count ? plural('filters.open_count', count) : translate('filters.open'));
    fill(chips, ...words(store), ...codes(store), ...spot(store),
      count > 1 && h('li', {}, h('button', {
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
  store.update({ filters: {}, words: '' }, 'push');
}

/** @param {string} text @param {() => void} remove @param {string | null} [symbol] */
function chip(text, remove, symbol = null) {
  return h('li', {}, h('button', {
    type: 'button', class: 'chip is-on', onclick: remove, 'aria-label': translate('filters.remove', { filter: text }),
  }, symbol && icon(symbol, 'category'), h('span', {}, text), icon('close')));
}

/** @param {Store} store */
function words(store) {
  const { words: text } = store.current;
  return text ? [chip(`“${text}”`, () => store.update({ words: '' }, 'push'))] : [];
}

/** @param {Store} store */
function codes(store) {
  const { filters } = store.current;
  const order = FACETS.map((facet) => facet.name);
  return Object.keys(filters).sort((a, b) => order.indexOf(a) - order.indexOf(b)).flatMap((name) => (
    filters[name].map((code) => chip(
      filterLabel(name, code),
      () => store.update({ filters: toggled(store.current.filters, name, code) }, 'push'),
      name === 'category' ? categoryIcon(code) : null,
    ))));
}

/**
 * Label of a filter value.
 * @param {string} name @param {string} value
 */
function filterLabel(name, value) {
  if (name === 'country') return formatCountry(value, language());
  return NAMED.includes(name) ? value : label(schemeOf(name), value);
}

/** @param {Store} store */
function spot(store) {
  return store.current.spot
    ? [chip(translate('spot.chip'), () => store.update({ spot: null }, 'push'))] : [];
}
