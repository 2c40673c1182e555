// @ts-check
// Field for the floor; 0 is the ground floor. A floor is a text, because «2;3» means both floors.

import { h, iconButton } from '../dom.js';
import { translate } from '../i18n.js';
import { complaintOf, newId } from './field.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').FieldContext} FieldContext */

const LOWEST = -20;
const HIGHEST = 200;
const MOST = 20; // characters

/**
 * A floor in words.
 * @param {string} level
 */
function levelWords(level) {
  if (!/^-?\d{1,3}$/.test(level)) return level;
  const floor = Number(level);
  return translate(floor === 0 ? 'field.level.ground' : floor < 0 ? 'field.level.below' : 'field.level.above', {
    floor: Math.abs(floor),
  });
}

/**
 * @param {FieldContext} context
 * @returns {Field}
 */
export function levelField(context) {
  const id = newId('level');
  const control = /** @type {HTMLInputElement} */ (h('input', {
    id, class: 'text-input number-input', autocomplete: 'off', maxlength: MOST, 'aria-describedby': `${id}-words`,
  }));
  control.value = typeof context.value === 'string' ? context.value : '';
  const words = h('p', { class: 'field-note', id: `${id}-words` });
  const complaint = complaintOf(control);
  const value = () => control.value.trim().replace('−', '-') || null;
  const show = () => { words.textContent = value() ? levelWords(value() ?? '') : translate('unknown'); };
  const tell = () => {
    show();
    complaint.say(null);
    context.changed(value());
  };
  const move = (/** @type {number} */ by) => {
    const now = /^-?\d{1,3}$/.test(value() ?? '') ? Number(value()) : null;
    control.value = String(now === null ? 0 : Math.max(LOWEST, Math.min(HIGHEST, now + by)));
    tell();
  };
  control.addEventListener('input', tell);
  control.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      move(event.key === 'ArrowUp' ? 1 : -1);
    }
    if (event.key === 'Enter') context.settled?.();
  });
  show();
  return {
    element: h('div', { class: 'field number-field' },
      h('label', { for: id, class: 'field-label' }, translate('field.level')),
      h('div', { class: 'stepper' },
        iconButton('minus', translate('field.level.lower'), { class: 'framed', onclick: () => move(-1) }), control,
        iconButton('plus', translate('field.level.higher'), { class: 'framed', onclick: () => move(1) })),
      words, complaint.element),
    value,
    complain: complaint.say,
    focus: () => control.focus(),
  };
}
