// @ts-check
// Row of a device in a list.

import { h } from '../dom.js';
import { formatDistance } from '../format.js';
import { distance } from '../geography.js';
import { language, translate } from '../i18n.js';
import { categoryIcon, label } from '../taxonomies.js';
import { marker, statusBadge } from './terms.js';

/** @typedef {import('./device.js').Device} Device */
/** @typedef {import('../geography.js').Position} Position */

/**
 * @param {Device} device
 * @param {{here: Position | null, chosen: string | null, choose: (device: Device) => void}} context
 */
export function deviceRow(device, { here, chosen, choose }) {
  const category = label('categories', device.category);
  const operator = device.operator.name;
  return h('li', {}, h('button', {
    type: 'button', class: 'device-row', 'data-id': device.id,
    'aria-current': device.id === chosen ? 'true' : null, onclick: () => choose(device),
  },
  marker(categoryIcon(device.category), device.status),
  h('span', { class: 'row-words' },
    h('span', { class: 'row-name' }, device.name),
    h('span', { class: 'row-kind' }, [device.name === category ? null : category, operator].filter(Boolean).join(' · ')
      || translate('operator.unknown')),
    h('span', { class: 'row-facts' },
      statusBadge(device.status),
      device.precision && device.precision !== 'exact'
        && h('span', { class: 'row-fact' }, label('precisions', device.precision)),
      here && h('span', { class: 'row-fact' }, formatDistance(distance(here, device.position), language()))))));
}

/**
 * Placeholder rows during loading.
 * @param {number} count
 */
export function skeletonRows(count) {
  return Array.from({ length: count }, () => h('li', { class: 'skeleton-row', 'aria-hidden': 'true' },
    h('span', { class: 'skeleton skeleton-marker' }),
    h('span', { class: 'row-words' },
      h('span', { class: 'skeleton skeleton-line' }), h('span', { class: 'skeleton skeleton-line short' }))));
}
