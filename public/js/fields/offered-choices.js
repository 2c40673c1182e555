// @ts-check
// Field for the choices that a device offers to the people it observes, and how to use each of
// them.

import { fill, h, icon } from '../dom.js';
import { plural, translate } from '../i18n.js';
import { label, scheme } from '../taxonomies.js';
import { severalAnswers, termAnswers } from './answers.js';
import { newId } from './field.js';
import { numberField, textField } from './text.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').FieldContext} FieldContext */
/**
 * @typedef {object} Choice
 * @property {string} kind
 * @property {string | null} [channel]
 * @property {string | null} [target]
 * @property {string | null} [instructions]
 * @property {number | null} [deadline_days]
 * @property {string | null} [checked_on]
 */

const CHANNELS = ['url', 'email', 'post', 'on_device', 'in_person'];
/** Kinds without a choice, or unknown. */
const BARE = ['none_offered', 'notice_only', 'unknown'];

/**
 * @param {FieldContext} context value: an array of choices
 * @returns {Promise<Field>}
 */
export async function choicesField(context) {
  const kinds = [...(await scheme('choices')).keys()].filter((code) => code !== 'unknown');
  /** @type {Choice[]} */
  let choices = (Array.isArray(context.value) ? context.value : [])
    .map((choice) => (typeof choice === 'string' ? { kind: choice } : { ...choice }));
  const value = () => (choices.length ? choices.map(tidy) : null);
  const tell = () => context.changed(value());
  const list = h('div', { class: 'choice-cards' });
  /** @type {{element: HTMLElement, check: () => boolean}[]} */
  let cards = [];
  const draw = () => {
    cards = choices.filter((choice) => !BARE.includes(choice.kind)).map((choice) => choiceCard(choice, tell));
    fill(list, ...cards.map((card) => card.element));
  };
  const answers = severalAnswers({
    ...context,
    value: choices.map((choice) => choice.kind),
    changed: (codes) => {
      const next = codes ?? [];
      choices = [
        ...choices.filter((choice) => next.includes(choice.kind)),
        ...next.filter((/** @type {string} */ code) => !choices.some((choice) => choice.kind === code))
          .map((/** @type {string} */ kind) => ({ kind })),
      ];
      draw();
      tell();
    },
  }, termAnswers('choices', kinds, false));
  draw();
  return {
    element: h('div', { class: 'field choices-field' }, answers.element, list),
    value,
    complain: answers.complain,
    focus: answers.focus,
    check: () => cards.every((card) => card.check()),
  };
}

/**
 * Removes empty values.
 * @param {Choice} choice
 * @returns {Choice}
 */
function tidy(choice) {
  const bare = BARE.includes(choice.kind);
  return /** @type {Choice} */ (Object.fromEntries(Object.entries(choice)
    .filter(([name, part]) => part !== null && part !== undefined && part !== '' && (!bare || name === 'kind'))));
}

/** @param {Choice} choice @param {() => void} tell */
function choiceCard(choice, tell) {
  const title = newId('choice');
  const target = h('div', {});
  /** @type {Field | null} */
  let address = null;
  const drawTarget = () => {
    const channel = choice.channel ?? '';
    address = null;
    if (!['url', 'email', 'post'].includes(channel)) {
      fill(target);
      return;
    }
    address = textField({
      value: choice.target, labelledBy: title,
      changed: (words) => {
        choice.target = words;
        tell();
      },
    }, {
      most: 500, type: channel === 'url' ? 'url' : channel === 'email' ? 'email' : 'text',
      label: translate(`field.choice.target.${channel}`),
      placeholder: channel === 'post' ? '' : translate(`field.choice.example.${channel}`),
    });
    fill(target, address.element);
  };
  const name = newId('channel');
  const channels = h('div', { class: 'options', role: 'group', 'aria-label': translate('field.choice.channel') },
    ...CHANNELS.map((code) => h('label', { class: 'option' },
      h('input', {
        type: 'radio', name, value: code, checked: choice.channel === code, class: 'visually-hidden',
        onchange: () => {
          choice.channel = code;
          if (!['url', 'email', 'post'].includes(code)) choice.target = null;
          drawTarget();
          tell();
        },
      }), h('span', {}, translate(`channel.${code}`)))));
  const instructions = textField({
    value: choice.instructions, labelledBy: title,
    changed: (words) => {
      choice.instructions = words;
      tell();
    },
  }, { most: 1_000, long: true, label: translate('field.choice.instructions') });
  const deadline = numberField({
    value: choice.deadline_days ?? null, labelledBy: title,
    changed: (days) => {
      choice.deadline_days = days;
      tell();
    },
  }, {
    least: 1, most: 365, isWhole: true, label: translate('field.choice.deadline'), unit: plural('field.choice.days', 2),
    first: 30,
  });
  drawTarget();
  const element = h('details', { class: 'choice-card', open: Boolean(choice.channel || choice.instructions) },
    h('summary', { id: title }, h('span', {}, label('choices', choice.kind)),
      h('small', {}, translate('field.choice.how')), icon('down')),
    h('p', { class: 'field-label' }, translate('field.choice.channel')), channels, target, instructions.element,
    deadline.element);
  return {
    element,
    check: () => {
      const isGood = [address, instructions, deadline].every((part) => part?.check?.() ?? true);
      if (!isGood) element.setAttribute('open', '');
      return isGood;
    },
  };
}
