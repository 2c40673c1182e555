// @ts-check
// Guesses the meaning of the columns of a list from their names and values. Pure.

import { propertyNamed } from '../devices/properties.js';
import { guessCode } from './codes.js';
import { isNamed, useByName, wordsOf } from './headers.js';
import { guessPlace } from './place-guess.js';

/**
 * @typedef {object} Column column of an inspected list
 * @property {string} column as a mapping writes it
 * @property {'empty' | 'number' | 'decimal_comma' | 'degrees' | 'date' | 'text' | 'position' |
 *   'hemisphere' | 'list'} kind
 * @property {string[]} date_formats
 * @property {number} filled
 * @property {boolean} unique
 * @property {string[]} samples
 * @property {{value: string, count: number}[]} values
 * @property {(number | null)[]} numbers
 * @property {([number, number] | null)[]} pairs the numbers of positions in one value, as written
 * @property {string | null} order of these numbers, if their notation states it
 * @property {boolean} letter_o whether values have the letter O for east or west
 */
/**
 * @typedef {'id' | 'name' | 'category' | 'latitude' | 'longitude' | 'position' | 'operator' | 'operator_kind' |
 *   'status' | 'description' | 'manufacturer' | 'model' | 'started_on' | 'observed_on' | 'bearings' |
 *   'field_of_view' | 'height' | 'level' | 'units' | 'setting' | 'zone' | 'mount' | 'signage' | 'data_collected' |
 *   'identifiability' | 'purposes' | 'legal_basis' | 'retention' | 'processing' | 'storage' | 'shared_with' |
 *   'privacy_policy' | 'operator_contact' | 'data_protection_contact' | 'precision' | 'drop' | ''} Use `drop`: never
 *   stored; empty: stored with the device, but not published
 */

/** @type {readonly Exclude<Use, ''>[]} */
export const USES = Object.freeze([
  'latitude', 'longitude', 'position', 'id', 'name', 'category', 'status', 'operator', 'operator_kind', 'description',
  'manufacturer', 'model', 'started_on', 'observed_on', 'bearings', 'field_of_view', 'height', 'level', 'units',
  'setting', 'zone', 'mount', 'signage', 'data_collected', 'identifiability', 'purposes', 'legal_basis', 'retention',
  'processing', 'storage', 'shared_with', 'operator_contact', 'privacy_policy', 'data_protection_contact', 'precision',
  'drop',
]);

/** @typedef {Use} Field a field whose values are codes */
/** @typedef {readonly {code: string, label: string}[]} Terms */
/** @typedef {Record<string, Terms>} Vocabulary the terms of each field */

/** Taxonomies of the fields that are no properties of the table. */
const SCHEMES = new Map([['category', 'categories'], ['status', 'statuses'], ['operator_kind', 'operator_kinds']]);

/**
 * The taxonomy of a field whose values are codes; null for others.
 * @param {Use} use
 */
export const schemeOf = (use) => SCHEMES.get(use) ?? propertyNamed(use)?.scheme ?? null;

/**
 * The meaning of each column; each meaning is used once.
 * @param {readonly Column[]} columns
 * @param {{rows: number, hasPositions: boolean, vocabulary: Vocabulary}} list `hasPositions`: whether the format itself
 *   provides positions
 * @returns {Record<string, Use>}
 */
export function guessUses(columns, { rows, hasPositions, vocabulary }) {
  /** @type {Record<string, Use>} */
  const uses = Object.fromEntries(columns.map(({ column }) => [column, '']));
  /** @type {Map<Use, {column: Column, score: number}>} */
  const best = new Map();
  if (!hasPositions) guessPlace(columns, uses, rows);
  columns.forEach((column, place) => {
    const use = useByName(column.column);
    if (use === '' || isPlace(use) || uses[column.column]) return;
    if (use === 'drop') {
      uses[column.column] = 'drop';
      return;
    }
    if (column.kind === 'empty' || !fits(column, use, rows, vocabulary)) return;
    const score = (isNamed(column.column, use) ? 2 : 1) + column.filled / Math.max(rows, 1) - place / 10_000
      - (/^(objectid|ogcfid|fid|ref)$/.test(wordsOf(column.column).join('')) ? 1.5 : 0);
    if ((best.get(use)?.score ?? -Infinity) < score) best.set(use, { column, score });
  });
  for (const [use, { column }] of best) uses[column.column] = use;
  return uses;
}

/** @param {Use} use */
export const isCoordinate = (use) => use === 'latitude' || use === 'longitude';
/** @param {Use} use */
export const isPlace = (use) => isCoordinate(use) || use === 'position';
/** @param {Use} use */
export const isDate = (use) => use === 'started_on' || use === 'observed_on';
/** @param {Use} use */
export const hasValues = (use) => schemeOf(use) !== null;

/** Milliseconds since 1970, as ArcGIS writes dates, of the years 1973 to 2286. */
const MILLISECONDS = /^\d{12,13}$/;
/** A direction as a number, or in letters or words. */
const DIRECTION = new RegExp([
  '-?\\d{1,3}([.,]\\d+)?\\s*(°|deg)?', '\\d{1,3}\\s*-\\s*\\d{1,3}', '[NSEWOZ]{1,3}(-[NSEWOZ]{1,3})?', '[NSEW]B',
].map((form) => `^${form}$`).join('|'), 'i');
const WORDS = /^(north|south|east|west|nord|sud|süd|ost|est|ouest|norte|sur|sul|este|leste|oeste|noord|zuid|oost)/i;

/**
 * Whether the values of a column can have the meaning of its name.
 * @param {Column} column @param {Use} use @param {number} rows @param {Vocabulary} vocabulary
 */
function fits(column, use, rows, vocabulary) {
  const isNumber = column.kind === 'number' || column.kind === 'decimal_comma';
  if (isDate(use)) {
    return column.kind === 'date' || /^(19|20)\d\d$/.test(column.samples[0] ?? '') || formatOf(column) !== null;
  }
  if (use === 'id') return column.unique;
  if (use === 'bearings') {
    const known = column.samples.filter((text) => text.split(/[;,/]/).every(
      (part) => DIRECTION.test(part.trim()) || WORDS.test(part.trim())));
    return isNumber || known.length * 2 >= column.samples.length;
  }
  if (['height', 'field_of_view', 'units'].includes(use)) return isNumber || /^\d/.test(column.samples[0] ?? '');
  if (hasValues(use)) return isKnown(column, use, rows, vocabulary[use] ?? []);
  if (use === 'name' || use === 'operator' || use === 'description') return !isNumber;
  return true;
}

/**
 * Whether the values of a column are kinds, states and the like. One known value among many unknown ones (“Type: Free”)
 * is a chance, and “other” says nothing.
 * @param {Column} column @param {Use} use @param {number} rows @param {Terms} terms
 */
function isKnown({ column, values }, use, rows, terms) {
  if (values.length >= rows && rows >= 20) return false;
  // A list of devices in use says nothing new.
  const nothing = use === 'status' ? [null, 'other', 'reported'] : [null, 'other'];
  const known = values.filter(({ value }) => !nothing.includes(guessCode(use, value, terms, null, column)));
  const count = (/** @type {readonly {count: number}[]} */ some) => some.reduce((sum, one) => sum + one.count, 0);
  // A state that needs an action is worth knowing, however rare it is.
  return known.length > 0 && (use === 'status' || count(known) * 2 >= count(values));
}

/**
 * The format of dates that are numbers; null for others.
 * @param {Column} column
 */
export const formatOf = ({ samples }) => (
  samples.length > 0 && samples.every((text) => MILLISECONDS.test(text)) ? 'unix_ms' : null);
