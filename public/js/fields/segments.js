// @ts-check
// A choice between a few options, as a row of radio buttons.

import { h } from '../dom.js';
import { newId } from './field.js';

/** @typedef {import('../dom.js').Child} Child */
/**
 * @template {string} Value
 * @typedef {object} Segment
 * @property {Value} value
 * @property {string} words
 * @property {string} [lang] language of the words, if it differs from the language of the page
 */
/**
 * @template {string} Value
 * @typedef {object} SegmentChoice
 * @property {string} legend
 * @property {string} [legendLook] class of the legend
 * @property {string} [look] additional class
 * @property {string} [name] of the radio buttons
 * @property {string} [id] beginning of their ids, for a page that returns the focus to the same one when it draws anew
 * @property {Child} [note] shown above the options
 * @property {Segment<Value>[]} options
 * @property {Value} chosen
 * @property {(value: Value) => void} choose called after each choice of the reader
 */

/**
 * @template {string} Value
 * @param {SegmentChoice<Value>} given
 * @returns {{ element: HTMLElement, show: (value: Value) => void }} `show` marks another option as chosen
 */
export function segments({ legend, legendLook, look = '', name = newId('choice'), id, note, ...given }) {
  const { options, chosen, choose } = given;
  const radios = options.map(({ value }) => /** @type {HTMLInputElement} */ (h('input', {
    type: 'radio', class: 'visually-hidden', name, value, id: id && `${id}-${value}`,
    onchange: () => choose(value),
  })));
  const show = (/** @type {Value} */ value) => {
    for (const radio of radios) radio.checked = radio.value === value;
  };
  show(chosen);
  const element = h('fieldset', { class: look ? `segmented ${look}` : 'segmented' },
    h('legend', { class: legendLook }, legend), note,
    h('div', { class: 'segments' }, ...options.map(({ words, lang }, index) => h('label', {},
      radios[index], h('span', { lang }, words)))));
  return { element, show };
}
