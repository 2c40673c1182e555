// @ts-check
// Field for the operator of a device. A household has neither name nor contact, even if they were
// typed before.

import { h } from '../dom.js';
import { translate } from '../i18n.js';
import { scheme } from '../taxonomies.js';
import { singleAnswer, termAnswers } from './answers.js';
import { newId } from './field.js';
import { textField } from './text.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').FieldContext} FieldContext */

/**
 * The parts of an operator, with maximum length and input type.
 * @type {[name: string, most: number, type: string][]}
 */
const PARTS = [
  ['name', 200, 'text'], ['contact', 300, 'text'], ['privacy_policy', 500, 'url'],
  ['data_protection_contact', 300, 'text'],
];

/**
 * @param {FieldContext} context value: {name, kind, contact, privacy_policy, data_protection_contact}
 * @returns {Promise<Field>}
 */
export async function operatorField(context) {
  const kinds = [...(await scheme('operator_kinds')).keys()].filter((code) => code !== 'unknown');
  /** @type {Record<string, string | null>} */
  const now = { ...(context.value ?? {}) };
  const isHousehold = () => now.kind === 'household';
  const value = () => {
    if (isHousehold()) return { kind: 'household' };
    const kept = PARTS.map(([name]) => name).filter((name) => now[name]);
    if (!kept.length && (!now.kind || now.kind === 'unknown')) return null;
    return { ...Object.fromEntries(kept.map((name) => [name, now[name]])), kind: now.kind || 'unknown' };
  };
  const tell = () => context.changed(value());
  const parts = PARTS.map(([name, most, type]) => textField({
    value: now[name], labelledBy: context.labelledBy,
    changed: (words) => {
      now[name] = words;
      tell();
    },
    settled: name === 'name' ? context.settled : undefined,
  }, {
    most, type: type === 'url' ? 'url' : 'text', label: translate(`field.operator.${name}`),
    placeholder: translate(`field.operator.${name}.example`),
  }));
  const [name, ...contacts] = parts;
  const more = h('details', { class: 'more-fields', open: PARTS.slice(1).some(([part]) => Boolean(now[part])) },
    h('summary', {}, translate('field.operator.more')), ...contacts.map((part) => part.element));
  const words = h('div', { class: 'operator-words' }, name.element, more);
  const home = h('p', { class: 'field-note', id: newId('home') }, translate('field.operator.household'));
  const show = () => {
    words.hidden = isHousehold();
    home.hidden = !isHousehold();
  };
  const kind = singleAnswer({
    ...context,
    value: now.kind === 'unknown' ? null : now.kind,
    changed: (code) => {
      now.kind = code;
      show();
      tell();
    },
    settled: () => {
      if (isHousehold() || !now.kind) context.settled?.();
      else name.focus();
    },
  }, termAnswers('operator_kinds', kinds));
  show();
  return {
    element: h('div', { class: 'field operator-field' }, kind.element, home, words),
    value,
    complain: (sentence) => (isHousehold() ? kind : name).complain(sentence),
    focus: kind.focus,
    check: () => {
      if (isHousehold()) return true;
      if (!now.name && PARTS.some(([part]) => part !== 'name' && now[part])) {
        name.complain(translate('field.operator.name.needed'));
        name.focus();
        return false;
      }
      if (contacts.some((part) => part.value())) more.setAttribute('open', '');
      return parts.every((part) => part.check?.() ?? true);
    },
  };
}
