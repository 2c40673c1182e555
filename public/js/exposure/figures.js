// @ts-check
// The counts of passed devices as lists and bars, for routes and the diary.

import { marker } from '../devices/terms.js';
import { h } from '../dom.js';
import { formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { categoryIcon, familyOf, label, term } from '../taxonomies.js';

/** @typedef {import('./count.js').Count} Count */

const SHOWN = 8; // operators before «more»

/**
 * «14 cameras, 3 number-plate readers».
 * @param {Count} count @param {number} [most]
 */
export function categoryWords({ categories }, most = 3) {
  return categories.slice(0, most).map(({ category, count }) => nameOf(category, count));
}

/** @param {string} category @param {number} count */
function nameOf(category, count) {
  const known = term('categories', category);
  const name = (count === 1 ? known?.label : known?.plural) ?? label('categories', category);
  return `${formatNumber(count, language())} ${lower(name)}`;
}

/**
 * A name within a sentence; an abbreviation stays.
 * @param {string} name
 */
function lower(name) {
  return /^\p{Lu}\p{Ll}/u.test(name) ? name[0].toLocaleLowerCase(language()) + name.slice(1) : name;
}

/**
 * The devices by category.
 * @param {Count} count
 */
export function categoryList({ categories }) {
  return h('ul', { class: 'exposure-list' }, ...categories.map(({ category, count }) => h('li', {},
    marker(categoryIcon(category), 'confirmed', familyOf(category)), h('span', {}, nameOf(category, count)))));
}

/**
 * The collected kinds of data, as bars.
 * @param {Count} count
 */
export function kindBars({ kinds, devices }) {
  return h('ul', { class: 'exposure-bars' }, ...kinds.map(({ kind, count }) => h('li', {},
    h('span', {}, translate(`exposure.kind.${kind}`)),
    h('meter', { min: '0', max: String(Math.max(1, devices)), value: String(count), 'aria-hidden': 'true' }),
    h('strong', {}, formatNumber(count, language())))));
}

/**
 * The operators.
 * @param {Count} count
 */
export function operatorList({ operators, unnamed }) {
  const item = (/** @type {import('./count.js').OperatorCount} */ { operator, devices, kinds }) => h('li', {},
    h('span', { class: 'said', dir: 'auto' }, operator),
    h('small', {}, [plural('exposure.devices', devices.length),
      ...kinds.map((kind) => translate(`exposure.kind.${kind}`))].join(' · ')));
  const rest = operators.slice(SHOWN);
  return h('div', {},
    operators.length > 0 && h('ul', { class: 'exposure-operators' }, ...operators.slice(0, SHOWN).map(item)),
    rest.length > 0 && h('details', {}, h('summary', {}, plural('exposure.more_operators', rest.length)),
      h('ul', { class: 'exposure-operators' }, ...rest.map(item))),
    unnamed > 0 && h('p', { class: 'section-note' }, plural('exposure.unnamed', unnamed)));
}
