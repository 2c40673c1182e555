// @ts-check
// Lists and tables of figures that a page prints as it shows them.

import { h } from '../dom.js';
import { formatMeasure, formatNumber, formatShare } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { groupRows, largest } from '../statistics/figures.js';
import { GROUPS } from './requests.js';

/** @typedef {import('../statistics/figures.js').Answer} Answer */
/** @typedef {import('../statistics/figures.js').Step} Step */
/** @typedef {import('../statistics/figures.js').AreaFigures} AreaFigures */
/** @typedef {import('../types').Place} Place */

const YEARS = 10; // rows of the growth, the latest

/**
 * The largest groups with bars, then the others and the unknown ones.
 * @param {Answer} answer @param {string} property @param {(key: string) => string} nameOf
 * @param {(key: string) => string} [addressOf] of the devices of a group
 */
export function bars(answer, property, nameOf, addressOf) {
  const rows = largest(groupRows(answer, property), GROUPS, answer.overlapping.includes(property));
  const name = (/** @type {import('../statistics/figures.js').Row} */ { key, others }) => (
    key === null ? translate('place.unknown') : others ? plural('place.others', others) : nameOf(key));
  return h('ul', { class: 'place-bars' }, ...rows.map((row) => {
    const bar = h('span', { class: row.key === null ? 'place-bar is-unknown' : 'place-bar', 'aria-hidden': 'true' });
    bar.style.width = `${Math.max(0.5, (row.share ?? 0) * 100)}%`;
    return h('li', {},
      h('span', { class: 'place-bar-name' }, addressOf && row.key && !row.others
        ? h('a', { href: addressOf(row.key) }, h('bdi', {}, name(row))) : h('bdi', {}, name(row))),
      h('span', { class: 'place-bar-number' }, formatNumber(row.count, language()), ' · ',
        formatShare(row.share, language())),
      h('span', { class: 'place-bar-room', 'aria-hidden': 'true' }, bar));
  }));
}

/** @param {Step[]} series */
export function growthTable(series) {
  const steps = series.filter((step) => step.added || step.removed || step.standing).slice(-YEARS);
  if (!steps.length) return h('p', {}, translate('place.growth.none'));
  const number = (/** @type {number} */ count) => h('td', {}, formatNumber(count, language()));
  return h('table', { class: 'place-table' },
    h('thead', {}, h('tr', {}, ...['year', 'added', 'removed', 'standing']
      .map((name) => h('th', { scope: 'col' }, translate(`place.growth.${name}`))))),
    h('tbody', {}, ...steps.map((step) => h('tr', {}, h('th', { scope: 'row' }, step.start.slice(0, 4)),
      number(step.added), number(step.removed), number(step.standing)))));
}

/** @param {{place: Place, figures: AreaFigures}[]} rows @param {string} own the id of the place of the page */
export function comparisonTable(rows, own) {
  const hasDensity = rows.some(({ figures }) => figures.devices_per_square_kilometre !== null);
  return h('table', { class: 'place-table' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, translate('place.name')),
      h('th', { scope: 'col' }, translate('statistics.devices')),
      hasDensity && h('th', { class: 'place-density', scope: 'col' }, translate('place.per_area')),
      h('th', { scope: 'col' }, translate('place.operator_known')))),
    h('tbody', {}, ...rows.map(({ place, figures }) => h('tr', { class: String(place.id) === own ? 'is-own' : null },
      h('th', { scope: 'row' }, String(place.id) === own
        ? h('bdi', {}, place.name)
        : h('a', { href: `/places/${place.id}` }, h('bdi', {}, place.name))),
      h('td', {}, formatNumber(figures.total, language())),
      hasDensity && h('td', { class: 'place-density' }, figures.devices_per_square_kilometre === null
        ? '–' : formatMeasure(figures.devices_per_square_kilometre, language())),
      h('td', {}, formatShare(figures.headline.operator_known.share, language()))))));
}
