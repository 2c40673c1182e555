// @ts-check
// The properties of a device that people set. This table defines the questions, the form, the facts of a page, the
// words of a value and the comparison of two versions. Pure.

/**
 * @typedef {object} Property
 * @property {string} name in the API
 * @property {'text' | 'code' | 'codes' | 'number' | 'date' | 'duration' | 'bearings' | 'own'} kind `own`: shown by
 *   separate code
 * @property {string} [section] section of the page and of the form; without it users cannot edit the property here
 * @property {string} [question] question of the assistant that asks for it
 * @property {string} [scheme] taxonomy of a code
 * @property {'rows' | 'tiles'} [look] of the answers
 * @property {number} [least] of a number
 * @property {number} [most] of a number; of a text in characters
 * @property {number} [step] of the buttons next to a number
 * @property {boolean} [isWhole] whether a number is whole
 * @property {number} [first] number after the first press of a button
 * @property {string} [unit] key of the words of a number with its unit
 * @property {string} [symbol] unit next to the field
 * @property {boolean} [isLong] several lines
 * @property {boolean} [isLabelled] whether the field has a label, because its question asks for several
 */

/**
 * In the order of each section.
 * @type {readonly Readonly<Property>[]}
 */
export const PROPERTIES = Object.freeze([
  { name: 'name', kind: 'text', section: 'thing', question: 'name', most: 120 },
  { name: 'category', kind: 'own', section: 'thing', question: 'category', scheme: 'categories' },
  { name: 'description', kind: 'text', section: 'thing', question: 'description', most: 2_000, isLong: true },
  { name: 'manufacturer', kind: 'text', section: 'thing', question: 'thing', most: 120, isLabelled: true },
  { name: 'model', kind: 'text', section: 'thing', question: 'thing', most: 120, isLabelled: true },
  {
    name: 'units', kind: 'number', section: 'thing', question: 'thing', least: 1, most: 10_000, isWhole: true, first: 2,
  },
  { name: 'started_on', kind: 'date', section: 'thing' },
  { name: 'data_collected', kind: 'codes', section: 'what', question: 'data_collected', scheme: 'data' },
  { name: 'identifiability', kind: 'code', section: 'what', question: 'identifiability', scheme: 'identifiability' },
  { name: 'signage', kind: 'code', section: 'what', question: 'signage', scheme: 'signage' },
  { name: 'purposes', kind: 'codes', section: 'why', question: 'purposes', scheme: 'purposes' },
  { name: 'legal_basis', kind: 'code', section: 'why', question: 'legal_basis', scheme: 'legal_bases' },
  { name: 'retention', kind: 'duration', section: 'why', question: 'retention' },
  { name: 'processing', kind: 'code', section: 'why', question: 'processing', scheme: 'processing' },
  { name: 'storage', kind: 'code', section: 'why', question: 'storage', scheme: 'storage' },
  { name: 'shared_with', kind: 'codes', section: 'why', question: 'shared_with', scheme: 'recipients' },
  { name: 'operator', kind: 'own', section: 'who', question: 'operator' },
  { name: 'choices', kind: 'own', section: 'can', question: 'choices' },
  { name: 'precision', kind: 'own', section: 'where', question: 'precision', scheme: 'precisions' },
  { name: 'setting', kind: 'code', section: 'where', question: 'setting', scheme: 'settings' },
  { name: 'zone', kind: 'code', section: 'where', question: 'zone', scheme: 'zones', look: 'tiles' },
  { name: 'level', kind: 'text', section: 'where', question: 'level', most: 40 },
  {
    name: 'height', kind: 'number', section: 'where', question: 'level', least: -100, most: 1_000, step: 0.5, first: 3,
    unit: 'metres', symbol: 'm',
  },
  { name: 'bearings', kind: 'bearings', section: 'where', question: 'bearings' },
  { name: 'field_of_view', kind: 'number', section: 'where', question: 'bearings', unit: 'degrees' },
  { name: 'mount', kind: 'code', section: 'where', question: 'mount', scheme: 'mounts', look: 'tiles' },
  { name: 'observed_on', kind: 'date' },
]);

/** @type {ReadonlyMap<string, Readonly<Property>>} */
const byName = new Map(PROPERTIES.map((property) => [property.name, property]));

/** @param {string} name */
export const propertyNamed = (name) => byName.get(name) ?? null;

/** @param {string} section */
export const propertiesOf = (section) => PROPERTIES.filter((property) => property.section === section);
