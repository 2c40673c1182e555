// @ts-check
// Field for the precision of the public position, with a picture of the result.

import { h } from '../dom.js';
import { formatDistance } from '../format.js';
import { language, translate } from '../i18n.js';
import { label, scheme, term } from '../taxonomies.js';
import { singleAnswer } from './answers.js';
import { cellSize, PRECISIONS, publicCell, publicPoint } from './public-point.js';
import { svg } from './svg.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').FieldContext} FieldContext */
/** @typedef {import('../geography.js').Position} Position */

const HALF = 11; // half the picture in user units

/**
 * The public cell (filled, with its centre) and the true position in it (a ring). Without a
 * position the picture shows an example.
 * @param {string} precision @param {Position | null} place
 */
export function precisionPicture(precision, place) {
  const cell = place && publicCell(precision, place);
  const size = { exact: 0, '100m': 5, '1km': 8.5, area: HALF }[precision] ?? 0;
  const at = { x: 0, y: 0 };
  if (place && cell) {
    const middle = publicPoint(precision, place);
    at.x = ((place[0] - middle[0]) / (cell[2] - cell[0])) * 2 * size;
    at.y = (-(place[1] - middle[1]) / (cell[3] - cell[1])) * 2 * size;
  }
  const drawing = svg('svg', { class: 'picture precision-picture', viewBox: '-12 -12 24 24', 'aria-hidden': 'true' },
    size > 0 && svg('rect', { class: 'precision-cell', x: -size, y: -size, width: 2 * size, height: 2 * size, rx: 1 }),
    place && size > 0 && svg('circle', { class: 'precision-true', cx: at.x.toFixed(2), cy: at.y.toFixed(2), r: 1.6 }),
    svg('circle', { class: 'precision-point', r: size > 0 ? 2.2 : 3.2 }));
  return /** @type {HTMLElement} */ (/** @type {unknown} */ (drawing));
}

/**
 * Explanation of a precision as a sentence.
 * @param {string} precision
 */
export function precisionWords(precision) {
  const size = cellSize(precision);
  return size === null
    ? translate('field.precision.exact')
    : translate('field.precision.cell', { size: formatDistance(size, language()) });
}

/**
 * @param {FieldContext} context
 * @returns {Promise<Field>}
 */
export async function precisionField(context) {
  const known = await scheme('precisions');
  const codes = PRECISIONS.filter((code) => known.size === 0 || known.has(code));
  const field = singleAnswer(context, codes.map((code) => ({
    code, label: label('precisions', code), picture: precisionPicture(code, context.position ?? null),
    note: term('precisions', code)?.definition ?? precisionWords(code),
  })), { unknown: false });
  const legend = h('p', { class: 'field-note precision-legend' },
    h('span', { class: 'legend-point', 'aria-hidden': 'true' }), translate('field.precision.legend.point'),
    context.position
      && [h('span', { class: 'legend-true', 'aria-hidden': 'true' }), translate('field.precision.legend.true')]);
  return { ...field, element: h('div', { class: 'field precision-field' }, field.element, legend) };
}
