// @ts-check
// A device as a flat record: one value per field, null if unknown. Edits, merges and comparisons
// use this form. Pure.

import { propertiesOf, propertyNamed } from './properties.js';

/** @typedef {Record<string, any>} Flat values by field; parts of the operator are separate fields */

/** The parts of an operator, in the order of the page. */
export const OPERATOR = Object.freeze(['kind', 'name', 'contact', 'privacy_policy', 'data_protection_contact']);

/**
 * The sections of the page, with the fields that users can edit.
 * @type {readonly {id: string, fields: readonly string[]}[]}
 */
export const SECTIONS = Object.freeze(['thing', 'what', 'why', 'who', 'can', 'where'].map((id) => {
  const fields = propertiesOf(id).map(({ name }) => name);
  return { id, fields: id === 'where' ? ['place', ...fields] : fields };
}));

/** All questions of the form. The operator is one question with several parts. */
export const QUESTIONS = Object.freeze(SECTIONS.flatMap((section) => section.fields));

/**
 * Whether a field is a list of independent entries, so that changes of two people can be combined.
 * @param {string} field
 */
export const isSet = (field) => ['codes', 'bearings'].includes(propertyNamed(field)?.kind ?? '');

/**
 * Whether a field has a code «unknown» that means null. In other fields «unknown» is ordinary text.
 * @param {string} field
 */
const hasUnknown = (field) =>
  field === 'operator.kind' || ['code', 'duration'].includes(propertyNamed(field)?.kind ?? '');

/**
 * The question for a field, for example `operator` for `operator.name`.
 * @param {string} field
 */
export function questionOf(field) {
  return field.startsWith('operator.') ? 'operator' : field;
}

/**
 * Normalises the value of a field.
 * @param {string} field @param {unknown} value @returns {any} null: unknown
 */
export function valueOf(field, value) {
  return value === 'unknown' && hasUnknown(field) ? null : plain(value);
}

/**
 * Normalises a value: empty values become null, texts are trimmed, object keys are sorted.
 * @param {unknown} value
 * @returns {any}
 */
function plain(value) {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.length ? value.map(plain) : null;
  if (typeof value === 'string') return value.trim() || null;
  if (typeof value === 'object') {
    const kept = Object.entries(value).map(([name, part]) => [name, plain(part)]).filter(([, part]) => part !== null);
    return kept.length ? Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))) : null;
  }
  return value;
}

/**
 * Whether two values are equal. The order within a set is ignored.
 * @param {string} field @param {unknown} a @param {unknown} b
 */
export function same(field, a, b) {
  const [one, other] = [valueOf(field, a), valueOf(field, b)]
    .map((value) => (isSet(field) && value ? [...value].sort() : value));
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * @param {any} feature
 * @returns {Flat}
 */
export function flatten(feature) {
  const properties = feature?.properties ?? {};
  /** @type {Flat} */
  const flat = {};
  for (const field of QUESTIONS) {
    if (field === 'place') flat.place = plain(feature?.geometry?.coordinates);
    else if (field === 'operator') Object.assign(flat, operatorParts(properties.operator));
    else flat[field] = valueOf(field, properties[field]);
  }
  return flat;
}

/**
 * @param {any} operator
 * @returns {Flat}
 */
export function operatorParts(operator) {
  return Object.fromEntries(OPERATOR.map((part) => [
    `operator.${part}`, valueOf(`operator.${part}`, operator?.[part]),
  ]));
}

/**
 * The operator of a record; null if no part is known.
 * @param {Flat} flat
 */
export function operatorOf(flat) {
  const parts = OPERATOR.map((part) => [part, flat[`operator.${part}`] ?? null]).filter(([, value]) => value !== null);
  return parts.length ? Object.fromEntries(parts) : null;
}

/**
 * The value of a question in the format of its field.
 * @param {Flat} flat @param {string} question
 */
export function answer(flat, question) {
  return question === 'operator' ? operatorOf(flat) : flat[question] ?? null;
}
