// @ts-check
// Field for the field of view in degrees: common widths with pictures, or any number.

import { h } from '../dom.js';
import { translate } from '../i18n.js';
import { singleAnswer } from './answers.js';
import { slicePicture } from './bearings.js';
import { numberField } from './text.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').FieldContext} FieldContext */

const WIDTHS = [30, 60, 90, 180, 360];

/**
 * @param {FieldContext} context
 * @returns {Field}
 */
export function viewWidthField(context) {
  let now = typeof context.value === 'number' && context.value > 0 ? context.value : null;
  const tell = () => context.changed(now);
  const answers = singleAnswer({
    ...context,
    value: now !== null && WIDTHS.includes(now) ? String(now) : null,
    changed: (code) => {
      now = code ? Number(code) : null;
      tell();
    },
  },
  WIDTHS.map((width) => ({
    code: String(width), label: translate(`field.view.${width}`), note: translate('degrees', { count: width }),
    picture: slicePicture(width),
  })), { look: 'tiles' });
  const number = numberField({
    value: now !== null && !WIDTHS.includes(now) ? now : null, labelledBy: context.labelledBy,
    changed: (width) => {
      now = width;
      for (const input of answers.element.querySelectorAll('input')) {
        input.checked = input.value === String(width ?? '');
      }
      tell();
    },
  }, { least: 1, most: 360, step: 1, label: translate('field.view.number'), unit: '°', first: 60 });
  const more = h('details', { class: 'more-fields', open: now !== null && !WIDTHS.includes(now) },
    h('summary', {}, translate('field.view.other')), number.element);
  return {
    element: h('div', { class: 'field' }, answers.element, more),
    value: () => now,
    complain: answers.complain,
    focus: answers.focus,
  };
}
