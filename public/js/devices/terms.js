// @ts-check
// Appearance of the category and status of a device.

import { h, icon } from '../dom.js';
import { termButton } from '../glossary/definition.js';
import { translate } from '../i18n.js';
import { label } from '../taxonomies.js';

/**
 * Shapes that accompany the colours of the map.
 * @type {Record<string, string>}
 */
const SHAPES = { confirmed: 'disc', reported: 'square', disputed: 'diamond', removed: 'gone', not_a_device: 'gone' };

/**
 * Status badge with a shape and a word.
 * @param {string} status @param {boolean} [explained]
 */
export function statusBadge(status, explained = false) {
  return h('span', { class: `status status-${SHAPES[status] ?? 'square'}` },
    h('span', { class: 'status-shape', 'aria-hidden': 'true' }),
    explained ? termButton('statuses', status) : label('statuses', status));
}

/**
 * Symbol of a category in the shape of a status, as on the map.
 * @param {string} symbol @param {string} status
 */
export function marker(symbol, status) {
  return h('span', { class: `marker marker-${SHAPES[status] ?? 'square'}`, 'aria-hidden': 'true' },
    icon(symbol, 'category'));
}

/** The word «Unknown», styled as such. */
export function unknown() {
  return h('span', { class: 'unknown' }, translate('unknown'));
}
