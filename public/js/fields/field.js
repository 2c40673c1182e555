// @ts-check
// Common interface of all fields. A field holds the answer to one question, and the answer can be
// unknown.

import { fill, h, icon } from '../dom.js';

/** @typedef {import('../geography.js').Position} Position */
/**
 * Input of a field.
 * @typedef {object} FieldContext
 * @property {any} value in the format of the API; null or undefined: unknown
 * @property {(value: any) => void} changed called after every change; null: unknown
 * @property {string} labelledBy id of the heading or label
 * @property {string} [describedBy] id of the explanation
 * @property {Record<string, any>} [properties] other known properties of the device
 * @property {Position | null} [position] true position of the device, if known here
 * @property {() => void} [settled] called after a tap or Enter that completes the answer
 */
/**
 * @typedef {object} Field
 * @property {HTMLElement} element
 * @property {() => any} value in the format of the API; null: unknown
 * @property {(words: string | null) => void} complain shows an error; null: removes it
 * @property {() => void} focus
 * @property {() => boolean} [check] shows an error for an invalid value; returns whether the value is valid
 */

let count = 0;

/**
 * A unique element id.
 * @param {string} [kind]
 */
export function newId(kind = 'field') {
  count += 1;
  return `${kind}-${count}`;
}

/**
 * Place for an error below a field. Screen readers announce the error.
 * @param {HTMLElement} control the field
 */
export function complaintOf(control) {
  const id = newId('complaint');
  const element = h('p', { class: 'complaint', id, role: 'alert' });
  element.hidden = true;
  return {
    element,
    /** @param {string | null} words */
    say(words) {
      element.hidden = !words;
      fill(element, words && icon('warning'), words);
      if (words) control.setAttribute('aria-invalid', 'true');
      else control.removeAttribute('aria-invalid');
      const others = (control.getAttribute('aria-describedby') ?? '').split(' ')
        .filter((other) => other && other !== id);
      const all = words ? [...others, id] : others;
      if (all.length) control.setAttribute('aria-describedby', all.join(' '));
      else control.removeAttribute('aria-describedby');
    },
  };
}

/**
 * Length of a text in user-perceived characters.
 * @param {string} text
 */
export function lengthOf(text) {
  return [...text].length;
}
