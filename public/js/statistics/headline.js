// @ts-check
// The number of devices, and the three facts that should be known about each device.

import { h, icon } from '../dom.js';
import { formatMeasure, formatNumber, formatShare } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { countedAt } from './figure.js';
import { HEADLINE } from './figures.js';
import { tablePath } from './question.js';

/** @typedef {import('./figures.js').Answer} Answer */

/** @param {Answer} answer @param {string} where @param {string} path of the figures */
export function headline(answer, where, path) {
  const { total, devices_per_square_kilometre: density, square_kilometres: size } = answer;
  return [
    h('p', { class: 'whole' },
      h('strong', { class: 'whole-number' }, formatNumber(total, language())), ' ',
      h('span', { class: 'whole-words' }, plural('statistics.whole', total, { where }))),
    density !== null && size !== null && h('p', { class: 'whole-density' }, density < 0.5
      ? translate('statistics.whole.sparse',
        { density: formatMeasure(density * 100, language()), size: formatMeasure(size, language()) })
      : translate('statistics.whole.density',
        { density: formatMeasure(density, language()), size: formatMeasure(size, language()) })),
    h('dl', { class: 'shares' }, ...HEADLINE.map((name) => share(name, answer))),
    h('div', { class: 'figure-foot' },
      h('details', { class: 'figure-details figure-meaning' },
        h('summary', {}, icon('info'), translate('statistics.meaning')), h('p', {}, answer.definition)),
      h('a', { class: 'figure-way', href: tablePath(path), download: '' }, icon('download'),
        translate('statistics.csv')),
      h('a', { class: 'figure-way', href: tablePath(path, 'xlsx'), download: '' }, icon('download'),
        translate('statistics.xlsx')),
      h('span', { class: 'figure-date' }, countedAt(answer.generated_at))),
  ];
}

/** @param {typeof HEADLINE[number]} name @param {Answer} answer */
function share(name, { headline: shares, total }) {
  const { count, share: part } = shares[name];
  const bar = h('span', { class: 'share-part' });
  bar.style.width = `${(part ?? 0) * 100}%`;
  return h('div', { class: `share-card share-${name}` },
    h('dt', {}, translate(`statistics.${name}`)),
    h('dd', { class: 'share-number' }, formatShare(part, language())),
    h('dd', { class: 'share-bar', 'aria-hidden': 'true' }, bar),
    h('dd', { class: 'section-note' },
      plural('statistics.count_of', total, { part: formatNumber(count, language()) })));
}

/** The placeholder while the figures load. */
export function headlineSkeleton() {
  return h('div', { class: 'shares', 'aria-hidden': 'true' },
    ...HEADLINE.map(() => h('span', { class: 'skeleton share-skeleton' })));
}
