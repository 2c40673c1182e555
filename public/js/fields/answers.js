// @ts-check
// Answers as large buttons with pictures: one of several, or any number. «I do not know» is always
// available.

import { h } from '../dom.js';
import { explainButton } from '../glossary/definition.js';
import { translate } from '../i18n.js';
import { label, term } from '../taxonomies.js';
import { complaintOf, newId } from './field.js';
import { termPicture, unknownPicture } from './pictures.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').FieldContext} FieldContext */
/**
 * @typedef {{code: string, label: string, note?: string | null, isQuiet?: boolean, picture?: HTMLElement | null}}
 *   Answer `isQuiet`: the note appears only on request
 */
/** @typedef {'rows' | 'tiles'} Look rows: with the definition of each answer; tiles: smaller */

/**
 * Creates answers from taxonomy terms.
 * @param {string} schemeName
 * @param {Iterable<string>} codes
 * @param {boolean} [explained] whether to show definitions at once
 * @returns {Answer[]}
 */
export function termAnswers(schemeName, codes, explained = true) {
  return [...codes].map((code) => ({
    code, label: label(schemeName, code), picture: termPicture(schemeName, code),
    note: term(schemeName, code)?.definition, isQuiet: !explained,
  }));
}

/**
 * One answer as a radio button or checkbox.
 * @param {'radio' | 'checkbox'} type
 * @param {string} name
 * @param {Answer} answer
 * @param {boolean} chosen
 */
export function answerButton(type, name, answer, chosen) {
  const noteId = answer.note ? newId('note') : null;
  return h('label', { class: 'answer' },
    h('input', {
      type, name, value: answer.code, checked: chosen, class: 'visually-hidden', 'aria-describedby': noteId,
    }),
    h('span', { class: 'answer-face' },
      answer.picture ?? h('span', { class: 'picture', 'aria-hidden': 'true' }),
      h('span', { class: 'answer-words' }, h('span', { class: 'answer-label' }, answer.label),
        answer.note && h('small', { id: noteId, class: answer.isQuiet ? 'meaning' : null, 'aria-hidden': 'true' },
          answer.note))));
}

/**
 * Button that shows the notes of quiet answers; only if there are any.
 * @param {Answer[]} answers @param {HTMLElement} list
 */
function meanings(answers, list) {
  return answers.some((answer) => answer.isQuiet && answer.note) ? explainButton(list) : null;
}

/** @returns {Answer} */
function unknownAnswer() {
  return { code: '', label: translate('answer.unknown'), picture: unknownPicture() };
}

/**
 * Selection of one answer.
 * @param {FieldContext} context
 * @param {Answer[]} answers
 * @param {{look?: Look, unknown?: boolean}} [options] `unknown: false`: an answer is required
 * @returns {Field}
 */
export function singleAnswer(context, answers, options = {}) {
  const { look = 'rows', unknown = true } = options;
  const name = newId('answer');
  const all = unknown ? [...answers, unknownAnswer()] : answers;
  const known = all.some((answer) => answer.code === context.value);
  const element = h('div', {
    class: `answers answers-${look}`, role: 'radiogroup', 'aria-labelledby': context.labelledBy,
    'aria-describedby': context.describedBy,
  }, ...all.map((answer) => answerButton('radio', name, answer, known && answer.code === context.value)));
  const complaint = complaintOf(element);
  const chosen = () => element.querySelector('input:checked');
  const value = () => {
    const input = chosen();
    return input instanceof HTMLInputElement ? input.value || null : known ? null : context.value ?? null;
  };
  element.addEventListener('change', () => {
    complaint.say(null);
    context.changed(value());
  });
  // A tap or Enter completes the answer. Arrow keys only move between answers.
  element.addEventListener('click', (event) => {
    const face = event.target instanceof Element && !event.target.matches('input') && event.target.closest('.answer');
    if (face && event.detail > 0) setTimeout(() => context.settled?.());
  });
  element.addEventListener('keydown', (event) => {
    const { target } = event;
    if (event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (!target.checked) target.click();
    context.settled?.();
  });
  return {
    element: h('div', { class: 'field' }, meanings(answers, element), element, complaint.element),
    value,
    complain: complaint.say,
    focus: () => {
      const input = chosen() ?? element.querySelector('input');
      if (input instanceof HTMLElement) input.focus();
    },
  };
}

/**
 * Selection of any number of answers.
 * @param {FieldContext} context
 * @param {Answer[]} answers
 * @param {{look?: Look}} [options]
 * @returns {Field}
 */
export function severalAnswers(context, answers, options = {}) {
  const { look = 'tiles' } = options;
  const name = newId('answers');
  /** @type {string[]} */
  const before = Array.isArray(context.value) ? context.value : [];
  const strange = before.filter((code) => !answers.some((answer) => answer.code === code));
  const unknown = answerButton('checkbox', name, unknownAnswer(), false);
  const element = h('div', {
    class: `answers answers-${look}`, role: 'group', 'aria-labelledby': context.labelledBy,
    'aria-describedby': context.describedBy,
  }, ...answers.map((answer) => answerButton('checkbox', name, answer, before.includes(answer.code))), unknown);
  const complaint = complaintOf(element);
  const boxes = () => /** @type {HTMLInputElement[]} */ ([...element.querySelectorAll('input')]);
  const value = () => {
    const codes = boxes().filter((box) => box.checked && box.value).map((box) => box.value);
    return codes.length ? [...codes, ...strange] : null;
  };
  element.addEventListener('change', (event) => {
    const box = /** @type {HTMLInputElement} */ (event.target);
    if (box.checked) {
      for (const other of boxes()) if (other !== box && Boolean(other.value) !== Boolean(box.value)) {
        other.checked = false;
      }
    }
    complaint.say(null);
    context.changed(value());
  });
  return {
    element: h('div', { class: 'field' }, meanings(answers, element), element, complaint.element),
    value,
    complain: complaint.say,
    focus: () => (boxes().find((box) => box.checked) ?? boxes()[0])?.focus(),
  };
}
