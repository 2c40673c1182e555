// @ts-check
// A list as the server has inspected it, and the first choices about it.

import { guessCategory, guessCode, guessUses, hasValues } from './guess.js';
import { codeOf, FAROL, noChoices, OPENSTREETMAP } from './choices.js';

/** @typedef {import('./guess.js').Column} Column */
/** @typedef {import('./choices.js').Choices} Choices */
/**
 * @typedef {object} List
 * @property {string} file
 * @property {string | null} problem reason why one of `choices` must be named
 * @property {string[]} choices lists of the file
 * @property {'csv' | 'json' | 'geojson' | 'osm-json' | 'osm-xml' | null} format
 * @property {boolean} packed
 * @property {string | null} encoding
 * @property {boolean} encoding_guessed from the words of the list
 * @property {string[]} encoding_samples texts to check the encoding with
 * @property {string[]} encodings all that can be chosen
 * @property {number} header_row the number of the row with the column names; 0 if there is none
 * @property {string | null} incomplete why the file says that it is only a part of the list
 * @property {string | null} separator
 * @property {boolean} double_encoded
 * @property {number} rows
 * @property {number} unreadable
 * @property {boolean} complete
 * @property {string | null} fault
 * @property {Column[]} columns
 * @property {boolean} more_columns
 * @property {number[]} sample
 * @property {([number, number] | null)[]} positions
 */
/** @typedef {import('./guess.js').Vocabulary} Vocabulary */

/**
 * Whether the format itself provides positions.
 * @param {List} list
 */
export const hasPositions = ({ positions }) => positions.some((position) => position !== null);

const OSM_SOURCE = Object.freeze({
  licence: 'ODbL-1.0',
  attribution: '© OpenStreetMap contributors, available under the Open Database License (openstreetmap.org/copyright)',
});

/**
 * Whether the list consists of elements of OpenStreetMap with their tags.
 * @param {List} list
 */
export const isOpenStreetMap = ({ format }) => format === 'osm-json' || format === 'osm-xml';

/** Columns that every export of Farol has, besides the id. */
const OF_FAROL = ['precision', 'licence', 'data_collected', 'legal_basis', 'created_at'];

/**
 * The mapping of the server that knows lists of this kind; null for other lists.
 * @param {List} list
 */
export function baseOf(list) {
  if (isOpenStreetMap(list)) return OPENSTREETMAP;
  const names = new Set(list.columns.map(({ column }) => column));
  const isExport = (names.has('id') || names.has('@id')) && OF_FAROL.every((name) => names.has(name));
  return isExport ? FAROL : null;
}

/**
 * The choices that names and values suggest.
 * @param {List} list @param {Vocabulary} vocabulary @param {Record<string, string>} input
 * @param {boolean} [isTrusted] whether an export of Farol may bring its ids and sources
 * @returns {Choices}
 */
export function suggested(list, vocabulary, input, isTrusted = true) {
  const choices = noChoices();
  choices.uses = guessUses(list.columns, { rows: list.rows, hasPositions: hasPositions(list), vocabulary });
  choices.input = inputOf(list, input);
  for (const column of list.columns) {
    if (column.date_formats.length) choices.formats[column.column] = column.date_formats[0];
    if (column.kind === 'decimal_comma') choices.commas[column.column] = true;
    withCodes(choices, column, vocabulary);
  }
  const hasColumn = Object.values(choices.uses).includes('category');
  if (!hasColumn) choices.category = guessCategory(list.file, list.columns) ?? '';
  const name = nameOf(list.file);
  choices.source = { ...choices.source, name, code: codeOf(name), attribution: name };
  if (isOpenStreetMap(list)) {
    choices.base = OPENSTREETMAP;
    Object.assign(choices.source, OSM_SOURCE);
  }
  if (isTrusted && baseOf(list) === FAROL) choices.base = FAROL;
  return choices;
}

/**
 * Adds the codes for the values of a column.
 * @param {Choices} choices @param {Column} column @param {Vocabulary} vocabulary
 */
export function withCodes(choices, { column, values }, vocabulary) {
  const use = choices.uses[column];
  if (!hasValues(use) || choices.values[use]) return;
  choices.values[use] = Object.fromEntries(
    values.map(({ value }) => [value, guessCode(use, value, vocabulary[use]) ?? '']));
}

/**
 * How to read the file, as a mapping states it: what the server has detected and the admin has chosen.
 * @param {List} list @param {Record<string, string>} given
 */
function inputOf(list, given) {
  const isTable = list.format === 'csv';
  return {
    ...given,
    ...(list.format && !list.packed && !given.path ? { format: list.format } : {}),
    ...(isTable && list.encoding && list.encoding !== 'utf-8' ? { encoding: list.encoding } : {}),
    ...(list.header_row !== 1 ? { header_row: String(list.header_row) } : {}),
    ...(list.double_encoded ? { repair: 'double_encoded' } : {}),
  };
}

/**
 * A name for the source: the name of the file without its endings.
 * @param {string} file
 */
function nameOf(file) {
  const words = file.replace(/(\.\w{1,8})+$/, '').replace(/[_-]+/g, ' ').trim();
  return words ? words[0].toUpperCase() + words.slice(1) : '';
}
