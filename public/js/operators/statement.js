// @ts-check
// The statement of an operator about a device. It is shown next to the observations and never replaces them.

import { text } from '../devices/device.js';
import { sections } from '../devices/facts.js';
import { h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { language, translate } from '../i18n.js';

/** @typedef {import('../devices/device.js').Device} Device */
/**
 * @typedef {object} Statement
 * @property {{id: string, name: string}} operator
 * @property {string | null} stated_at
 * @property {string | null} note
 * @property {Record<string, any>} values
 */
/** @typedef {(field: string) => HTMLElement | null} Said element with the operator’s value of a field */

/** The fields that an operator can state, in the order of the form. */
export const STATED = Object.freeze([
  'data_collected', 'identifiability', 'purposes', 'legal_basis', 'retention', 'processing', 'storage', 'shared_with',
  'choices',
]);

/**
 * @param {Record<string, any>} properties of a device
 * @returns {Statement | null}
 */
export function readStatement({ statement }) {
  const name = text(statement?.operator?.name);
  if (name === null) return null;
  return {
    operator: { id: String(statement.operator.id), name }, stated_at: text(statement.stated_at),
    note: text(statement.note),
    values: Object.fromEntries(STATED.filter((field) => statement[field] !== null && statement[field] !== undefined)
      .map((field) => [field, statement[field]])),
  };
}

/**
 * @param {Device} device
 * @returns {Said}
 */
export function saidBy(device) {
  const statement = readStatement(device.properties);
  if (!statement) return () => null;
  const stated = { ...device, properties: statement.values, assumed: new Set() };
  return (field) => {
    // New nodes for each call: a node can be in one place only.
    const facts = field in statement.values ? sections(stated).flatMap((part) => part.facts) : [];
    const value = facts.find((fact) => fact.field === field)?.value;
    return value
      ? h('div', { class: 'operator-says' },
        h('span', { class: 'said-by' }, icon('city'), translate('said_by.operator')), value)
      : null;
  };
}

/**
 * The author, the date and the note of a statement.
 * @param {Statement} statement
 */
export function statementHead({ operator, stated_at: at, note }) {
  const day = at && formatDay(at.slice(0, 10), language());
  return h('div', { class: 'operator-says operator-head' },
    h('span', { class: 'said-by' }, icon('city'), translate('said_by.operator')),
    h('p', {}, h('a', { class: 'said', href: `/operators/${operator.id}` }, operator.name), ' ',
      translate(day ? 'said_by.since' : 'said_by.ours', { day: day ?? '' })),
    note && h('blockquote', { class: 'said' }, note));
}
