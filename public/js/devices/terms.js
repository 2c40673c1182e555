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
 * Symbol of a category in the shape of a status and the colour of a family, as on the map.
 * @param {string} symbol @param {string} status
 * @param {import('../families.js').Family | null} [family] null: in the colour of this site
 */
export function marker(symbol, status, family = null) {
  const look = `marker marker-${SHAPES[status] ?? 'square'}${family ? ` family-${family}` : ''}`;
  return h('span', { class: look, 'aria-hidden': 'true' },
    icon(symbol, 'category'));
}

/** The word «Unknown», styled as such. */
export function unknown() {
  return h('span', { class: 'unknown' }, translate('unknown'));
}
