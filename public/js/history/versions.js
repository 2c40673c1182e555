// @ts-check
// Two versions of a device next to each other: text for each value, and a map if the device was moved.

import { saidValue } from '../devices/said-value.js';
import { fieldName } from '../devices/value-words.js';
import { h, iconButton } from '../dom.js';
import { formatDistance, wind } from '../format.js';
import { bearingTo, distance } from '../geography.js';
import { language, plural, translate } from '../i18n.js';
import { compareVersions, differences, movement } from './compare.js';
import { authorWords, momentWords } from './entry.js';
import { movementMap } from './movement-map.js';

/** @typedef {import('./compare.js').Group} Group */
/** @typedef {import('./entry.js').Entry & {feature: import('../types').DeviceFeature}} Version */

/**
 * @param {Version} before @param {Version} after
 * @param {{restore: (number: number) => HTMLElement | null, close: () => void}} acts
 */
export function versionsTable(before, after, acts) {
  const all = compareVersions(before.feature, after.feature);
  const groups = differences(all);
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const move = movement(all);
  const body = h('div', { class: 'versions-body' }, table(groups, before, after));
  const whole = h('input', {
    type: 'checkbox', onchange: (/** @type {Event} */ event) => {
      const { checked } = /** @type {HTMLInputElement} */ (event.target);
      body.replaceChildren(table(checked ? all : groups, before, after));
    },
  });
  return h('section', { class: 'versions', 'aria-labelledby': 'versions-title' },
    h('div', { class: 'versions-head' },
      h('h2', { id: 'versions-title', tabindex: '-1' },
        translate('history.versions', { before: before.number, after: after.number })),
      iconButton('close', translate('history.close'), { onclick: acts.close })),
    h('p', {}, count ? plural('history.differ', count) : translate('history.alike')),
    move && h('figure', { class: 'movement' },
      movementMap(move.before, move.after, String(after.feature?.properties?.category ?? 'other'), {
        map: translate('history.moved.map'), before: translate('change.before'), after: translate('change.after'),
      }),
      h('figcaption', {}, translate('history.moved', {
        distance: formatDistance(distance(move.before, move.after), language()),
        wind: translate(`wind.${wind(bearingTo(move.before, move.after))}`),
      }))),
    body,
    h('label', { class: 'tick' }, whole, h('span', {}, translate('history.whole'))),
    h('div', { class: 'form-acts' }, acts.restore(before.number), acts.restore(after.number)));
}

/** @param {Group[]} groups @param {Version} before @param {Version} after */
function table(groups, before, after) {
  if (!groups.length) return h('p', { class: 'section-note' }, translate('history.alike.why'));
  const head = (/** @type {Version} */ version) => h('th', { scope: 'col' },
    translate('history.revision', { number: version.number }),
    h('small', {}, authorWords(version), ', ', momentWords(version.made_at)));
  return h('table', { class: 'versions-table' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, translate('history.field')), head(before), head(after))),
    ...groups.map(({ id, rows }) => h('tbody', {},
      h('tr', { class: 'versions-group' }, h('th', { colspan: '3', scope: 'rowgroup' }, translate(`device.${id}`))),
      ...rows.map((row) => h('tr', { class: row.differs ? 'is-different' : null },
        h('th', { scope: 'row' }, fieldName(row.field),
          row.differs && h('span', { class: 'visually-hidden' }, ` (${translate('history.differs')})`)),
        cell(translate('history.revision', { number: before.number }), row.field, row.before),
        cell(translate('history.revision', { number: after.number }), row.field, row.after))))));
}

/**
 * @param {string} title shown on a phone, where the columns are stacked
 * @param {string} field @param {unknown} value
 */
function cell(title, field, value) {
  return h('td', { 'data-title': title }, saidValue(field, value));
}
