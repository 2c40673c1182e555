// @ts-check
// The fields for the values of a condition that are typed or searched for.

import { h } from '../dom.js';
import { newId } from '../fields/field.js';
import { formatPosition } from '../format.js';
import { translate } from '../i18n.js';
import { AreaBox } from '../statistics/area-box.js';
import { valueCount } from './conditions.js';

/** @typedef {import('./conditions.js').Condition} Condition */
/** @typedef {import('./conditions.js').Kind} Kind */

const LONGEST = 200; // characters of a text
/** @type {Partial<Record<Kind, Record<string, string>>>} */
const ATTRIBUTES = { number: { type: 'number', step: 'any' }, date: { type: 'date' } };

/**
 * @param {Condition} condition @param {Kind} kind
 * @param {(values: string[], isRedrawn: boolean) => void} changed
 * @returns {HTMLElement[]} none if the operator needs no value
 */
export function valueInputs({ operator, values }, kind, changed) {
  if (operator === 'within') return [areaInput(values, changed)];
  const count = valueCount(operator) ?? 0;
  /** @type {HTMLInputElement[]} */
  const inputs = Array.from({ length: count }, (_, at) => /** @type {HTMLInputElement} */ (h('input', {
    type: 'text', maxlength: String(LONGEST), ...ATTRIBUTES[kind], class: 'text-input', value: values[at] ?? '',
    'aria-label': translate(count === 1 ? 'query.value' : at === 0 ? 'query.least' : 'query.most'),
    oninput: () => changed(inputs.map(({ value }) => value), false),
  })));
  return inputs;
}

/** @type {Map<string, string>} names of the areas that were chosen on this page, by their edges */
const names = new Map();

/** @param {string[]} values edges of a box @param {(values: string[], isRedrawn: boolean) => void} changed */
function areaInput(values, changed) {
  const area = new AreaBox({
    id: newId('query-area'), title: translate('query.area'), placeholder: translate('query.area.placeholder'),
    fixed: () => [], withCountries: false,
    choose: ({ place }) => {
      if (place?.bbox?.length !== 4) return;
      const edges = place.bbox.map((edge) => String(Number(Number(edge).toFixed(5))));
      names.set(edges.join(), place.name);
      area.show(place.name);
      changed(edges, false);
    },
  });
  if (values.length === 4) area.show(names.get(values.join()) ?? areaWords(values.map(Number)));
  return area.element;
}

/** @param {number[]} edges */
function areaWords([west, south, east, north]) {
  return translate('query.area.around', {
    position: formatPosition((west + east) / 2, (south + north) / 2, 3),
  });
}
