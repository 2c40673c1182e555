// @ts-check
// A device as a flat record of what can be said of it: one name, one value, null where it is unknown.
// Edits, merges and comparisons all stand on it. Pure.

/** @typedef {import('../geography.js').Position} Position */
/** @typedef {Record<string, any>} Flat by field; parts of the operator are fields of their own */

/** The parts of an operator, in the order of the page. */
export const OPERATOR = Object.freeze(['kind', 'name', 'contact', 'privacy_policy', 'data_protection_contact']);

/**
 * The sections of the page and what of them people may say.
 * @type {readonly {id: string, fields: readonly string[]}[]}
 */
export const SECTIONS = Object.freeze([
  { id: 'thing', fields: ['name', 'category', 'description', 'manufacturer', 'model', 'units', 'started_on'] },
  { id: 'what', fields: ['data_collected', 'identifiability', 'signage'] },
  { id: 'why', fields: ['purposes', 'legal_basis', 'retention', 'processing', 'storage', 'shared_with'] },
  { id: 'who', fields: ['operator'] },
  { id: 'can', fields: ['choices'] },
  { id: 'where', fields: ['place', 'precision', 'setting', 'zone', 'level', 'height', 'bearings', 'field_of_view', 'mount'] },
]);

/** Every question of the form: the operator is one, whatever its parts. */
export const QUESTIONS = Object.freeze(SECTIONS.flatMap((section) => section.fields));

/** Lists in which each entry stands for itself, so that two people's changes can be put together. */
const SETS = ['data_collected', 'purposes', 'shared_with', 'bearings'];

/** Fields in which a code may say that nothing is known. Elsewhere «unknown» is a word like any other. */
const CODES = ['operator.kind', 'identifiability', 'signage', 'legal_basis', 'retention', 'processing', 'storage', 'setting', 'zone', 'mount'];

/** @param {string} field */
export const isSet = (field) => SETS.includes(field);

/**
 * The question that a field belongs to: `operator.name` to `operator`.
 * @param {string} field
 */
export function questionOf(field) {
  return field.startsWith('operator.') ? 'operator' : field;
}

/**
 * A field's value in one spelling.
 * @param {string} field @param {any} value
 * @returns {any} null: unknown
 */
export function valueOf(field, value) {
  return value === 'unknown' && CODES.includes(field) ? null : plain(value);
}

/**
 * One spelling of nothing, and of everything else.
 * @param {any} value
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
 * Whether two values say the same; the order of a set says nothing.
 * @param {string} field @param {any} a @param {any} b
 */
export function same(field, a, b) {
  const [one, other] = [valueOf(field, a), valueOf(field, b)].map((value) => (isSet(field) && value ? [...value].sort() : value));
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
  return Object.fromEntries(OPERATOR.map((part) => [`operator.${part}`, valueOf(`operator.${part}`, operator?.[part])]));
}

/**
 * The operator of a record; null: nothing is known of it.
 * @param {Flat} flat
 */
export function operatorOf(flat) {
  const parts = OPERATOR.map((part) => [part, flat[`operator.${part}`] ?? null]).filter(([, value]) => value !== null);
  return parts.length ? Object.fromEntries(parts) : null;
}

/**
 * The value of a question, as its field takes it.
 * @param {Flat} flat @param {string} question
 */
export function answer(flat, question) {
  return question === 'operator' ? operatorOf(flat) : flat[question] ?? null;
}
