// @ts-check
// The value of a field as an element. Words that a user wrote are marked, with the direction of their script.

import { h } from '../dom.js';
import { unknown } from './terms.js';
import { isWritten, valueWords } from './value-words.js';

/**
 * @param {string} field @param {unknown} value
 */
export function saidValue(field, value) {
  const words = field === 'operator' ? operatorWords(value) : valueWords(field, value);
  if (words === null) return unknown();
  const isSaid = isWritten(field) || field === 'operator' || field === 'choices';
  return h('span', { class: isSaid ? 'said' : null, dir: isWritten(field) ? 'auto' : null }, words);
}

/**
 * The operator in words. A merge names its parts `operator.name`, the interface names them `name`.
 * @param {unknown} value
 */
function operatorWords(value) {
  if (value === null || typeof value !== 'object') return valueWords('operator', value);
  const parts = Object.fromEntries(Object.entries(value).map(([name, part]) => [name.replace('operator.', ''), part]));
  return valueWords('operator', parts);
}
