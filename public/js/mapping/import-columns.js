// @ts-check
// The columns of an imported list: used, not used, and named in the mapping but missing.

import { h } from '../dom.js';
import { formatList, formatNumber } from '../format.js';
import { language, translate } from '../i18n.js';

/**
 * @typedef {object} Columns
 * @property {string[]} used
 * @property {string[]} unused
 * @property {{name: string, nearest: string[]}[]} missing
 */

/** @param {Columns} columns */
export function columnsOfImport({ used, unused, missing }) {
  return [
    missing.length
      ? h('div', { class: 'import-missing' }, h('h3', {}, translate('admin.imports.columns.missing')),
        h('ul', {}, ...missing.map(missingColumn))) : null,
    names('admin.imports.columns.used', used), names('admin.imports.columns.unused', unused),
  ];
}

/** @param {Columns['missing'][number]} column */
function missingColumn({ name, nearest }) {
  return h('li', {}, h('bdi', {}, h('code', {}, name)),
    nearest.length
      ? ` – ${translate('admin.imports.columns.nearest', { names: formatList(nearest, language()) })}` : null);
}

/** @param {string} key @param {string[]} columns */
function names(key, columns) {
  if (!columns.length) return null;
  return h('details', {},
    h('summary', {}, translate(key, { count: formatNumber(columns.length, language()) })),
    h('ul', { class: 'import-columns' }, ...columns.map((name) => h('li', {}, h('bdi', {}, h('code', {}, name))))));
}
