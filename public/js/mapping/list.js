// @ts-check
// A list as the server has inspected it, and the first choices about it.

import { guessCategory, guessCode } from './codes.js';
import { formatOf, guessUses, hasValues, isDate } from './guess.js';
import { columnsOf, composed, guessOrder, guessSystem, guessTemplates, turned } from './place-guess.js';
import { codeOf, FAROL, noChoices, OPENSTREETMAP } from './choices.js';

/** @typedef {import('./guess.js').Column} Column */
/** @typedef {import('./choices.js').Choices} Choices */
/**
 * @typedef {object} List
 * @property {string} file
 * @property {string | null} problem reason why one of `choices` must be named
 * @property {string[]} choices lists of the file
 * @property {'csv' | 'json' | 'geojson' | 'esri-json' | 'osm-json' | 'osm-xml' | null} format
 * @property {boolean} packed
 * @property {string | null} encoding
 * @property {boolean} encoding_guessed from the words of the list
 * @property {string[]} encoding_samples texts to check the encoding with
 * @property {string[]} encodings all that can be chosen
 * @property {number} header_row the number of the row with the column names; 0 without such a row
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
export const isOpenStreetMap = ({ format, columns }) => format === 'osm-json' || format === 'osm-xml'
  || format === 'geojson' && ['@type', '@id'].every((name) => columns.some(({ column }) => column === name));

/** Columns that every Farol export has, in addition to the id. */
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
 * @param {boolean} [isTrusted] whether a Farol export may bring its ids and sources
 * @returns {Choices}
 */
export function suggested(list, vocabulary, input, isTrusted = true) {
  const choices = noChoices();
  choices.uses = guessUses(list.columns, { rows: list.rows, hasPositions: hasPositions(list), vocabulary });
  choices.templates = guessTemplates(list.columns, choices.uses);
  choices.input = inputOf(list, input);
  const whole = guessCategory(list.file, list.columns);
  for (const column of list.columns) {
    if (column.date_formats.length) choices.formats[column.column] = column.date_formats[0];
    const format = formatOf(column);
    if (format && isDate(choices.uses[column.column])) choices.formats[column.column] = format;
    if (column.kind === 'decimal_comma') choices.commas[column.column] = true;
    const order = guessOrder(column, list.format);
    if (order && choices.uses[column.column] === 'position') choices.orders[column.column] = order;
    withCodes(choices, column, vocabulary, whole);
  }
  const system = systemOf(list, choices);
  if (system) choices.input.crs = system;
  const hasColumn = Object.values(choices.uses).includes('category');
  if (!hasColumn) choices.category = whole ?? '';
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
 * The positions of the sample as numbers of the list: longitude and latitude, or x and y. Null without any.
 * @param {List} list @param {Choices} choices
 * @returns {{pairs: (import('./place-guess.js').Pair | null)[], isOfColumns: boolean} | null}
 */
export function pairsOf(list, choices) {
  const column = (/** @type {import('./guess.js').Use} */ use) => (
    list.columns.find((one) => choices.uses[one.column] === use));
  const [longitude, latitude, position] = [column('longitude'), column('latitude'), column('position')];
  if (longitude && latitude) {
    const numbers = [longitude, latitude].map((one) => {
      const [, ...more] = columnsOf(choices.templates[one.column] ?? '');
      return composed(one, more.flatMap((name) => list.columns.filter((part) => part.column === name)));
    });
    return {
      isOfColumns: true,
      pairs: list.sample.map((_, row) => {
        const [x, y] = numbers.map((all) => all[row] ?? null);
        return x === null || y === null ? null : [x, y];
      }),
    };
  }
  if (position) return { pairs: turned(position, choices.orders[position.column]), isOfColumns: true };
  return hasPositions(list) && !longitude && !latitude ? { pairs: list.positions, isOfColumns: false } : null;
}

/**
 * The coordinate system of positions that are no degrees, if the names and numbers leave no doubt; otherwise empty.
 * @param {List} list @param {Choices} choices
 */
function systemOf(list, choices) {
  const found = pairsOf(list, choices);
  const known = found?.pairs.filter((pair) => pair !== null) ?? [];
  const outside = known.filter((pair) => Math.abs(pair?.[0] ?? 0) > 180 || Math.abs(pair?.[1] ?? 0) > 90);
  if (!found || outside.length * 2 <= known.length) return '';
  return guessSystem(found.pairs, [list.file, ...list.columns.map(({ column }) => column)]);
}

/**
 * Adds the codes for the values of a column.
 * @param {Choices} choices @param {Column} column @param {Vocabulary} vocabulary
 * @param {string | null} [whole] the category of the whole list
 */
export function withCodes(choices, { column, values }, vocabulary, whole = null) {
  const use = choices.uses[column];
  if (!hasValues(use) || choices.values[use]) return;
  choices.values[use] = Object.fromEntries(
    values.map(({ value }) => [value, guessCode(use, value, vocabulary[use], whole, column) ?? '']));
}

/**
 * How to read the file, as a mapping states it: the values that the server has detected and the admin has chosen.
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
