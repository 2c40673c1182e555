// @ts-check
// What every field is: one question's answer, which may always be unknown.

import { fill, h, icon } from '../dom.js';

/** @typedef {import('../geography.js').Position} Position */
/**
 * What a field is made with.
 * @typedef {object} FieldContext
 * @property {any} value as the interface has it; null or undefined: unknown
 * @property {(value: any) => void} changed told every change; null: unknown
 * @property {string} labelledBy id of what asks: a heading or a label
 * @property {string} [describedBy] id of what explains
 * @property {Record<string, any>} [properties] what else is known of the device
 * @property {Position | null} [position] where it truly is, if that is known here
 * @property {() => void} [settled] told when a tap or Enter has said all there is to say
 */
/**
 * @typedef {object} Field
 * @property {HTMLElement} element
 * @property {() => any} value as the interface takes it; null: unknown
 * @property {(words: string | null) => void} complain says what is wrong, or takes it back
 * @property {() => void} focus
 * @property {() => boolean} [check] complains of what cannot be sent; true where there is nothing
 */

let count = 0;

/**
 * An id that no other element has.
 * @param {string} [kind]
 */
export function newId(kind = 'field') {
  count += 1;
  return `${kind}-${count}`;
}

/**
 * A place under a field for what is wrong with it. Screen readers are told when it comes.
 * @param {HTMLElement} control what is wrong
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
      const others = (control.getAttribute('aria-describedby') ?? '').split(' ').filter((other) => other && other !== id);
      const all = words ? [...others, id] : others;
      if (all.length) control.setAttribute('aria-describedby', all.join(' '));
      else control.removeAttribute('aria-describedby');
    },
  };
}

/**
 * How long a text is for people: what they see as characters.
 * @param {string} text
 */
export function lengthOf(text) {
  return [...text].length;
}
