// @ts-check
// The choices of an admin about a list, and the mapping file that they make (docs/reference/import.md). Pure.

import { SKIP } from './codes.js';
import { hasValues, isCoordinate, isDate, isPlace } from './guess.js';
import { columnsOf } from './place-guess.js';

/** @typedef {import('./guess.js').Column} Column */
/** @typedef {import('./guess.js').Use} Use */
/** @typedef {{code: string, name: string, licence: string, attribution: string, url: string}} Source */
/**
 * @typedef {object} Choices
 * @property {string} base mapping of the server whose rules apply instead of the other choices; empty without one
 * @property {Record<string, Use>} uses of the columns
 * @property {Record<string, Record<string, string>>} values field → value → code; `skip`: rows with it are left out
 * @property {string} category of all rows, or of rows whose value has no category; empty: such rows are refused
 * @property {string} operatorKind of all rows without an operator kind
 * @property {Record<string, string>} formats column → format of its dates
 * @property {Record<string, string>} templates column of degrees → its template with further columns
 * @property {Record<string, string>} orders column → order of the numbers of its positions
 * @property {'' | 'east' | 'west'} letterO what the letter O means in positions
 * @property {number} matchWithin metres within which a device of the same kind is the same; 0: never
 * @property {string} country code of the country that all devices are in; empty: not checked
 * @property {Record<string, true>} commas columns whose numbers have a comma as decimal sign
 * @property {string} unit of heights
 * @property {Source} source
 * @property {Record<string, string>} input how to read the file
 */

/** The mapping of the server that knows the tags of OpenStreetMap. */
export const OPENSTREETMAP = 'osm.json';
/** The mapping of the server for files that a Farol has exported. */
export const FAROL = 'farol.json';
const ISO = 'yyyy-MM-dd*';
const LEFT_OUT = 'The mapping leaves out this value.';

/**
 * Fields whose values can leave out a row.
 * @type {readonly Use[]}
 */
export const SKIPPING = ['category', 'status'];

/** @returns {Choices} */
export function noChoices() {
  return {
    base: '', uses: {}, values: {}, category: '', operatorKind: '', formats: {}, templates: {}, orders: {}, letterO: '',
    commas: {},
    unit: 'm', matchWithin: 0,
    country: '', input: {},
    source: { code: '', name: '', licence: '', attribution: '', url: '' },
  };
}

/**
 * A code of 1 to 60 letters, digits and hyphens.
 * @param {string} name
 */
export function codeOf(name) {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '')
    .slice(0, 60).replace(/-+$/, '');
}

/**
 * Columns with a meaning, in their order.
 * @param {Choices} choices @param {Use} use
 */
export function columnsFor(choices, use) {
  return Object.keys(choices.uses).filter((column) => choices.uses[column] === use);
}

/**
 * Whether a template can name a column.
 * @param {string} column
 */
const isNameable = (column) => column !== '' && !column.includes('}');

/**
 * The key of a row: its id, for OpenStreetMap with the type of the element.
 * @param {Choices} choices
 */
function keyOf(choices) {
  const [id] = columnsFor(choices, 'id').filter(isNameable);
  if (!id) return null;
  return id === '@id' && choices.uses['@type'] !== undefined ? '{@type}/{@id}' : `{${id}}`;
}

/** @param {string[]} columns */
const from = (columns) => (columns.length === 1 ? columns[0] : columns);

/**
 * The mapping file.
 * @param {Choices} choices
 * @returns {Record<string, any>}
 */
export function mappingOf(choices) {
  const { url, ...named } = choices.source;
  const source = { ...named, ...(url ? { url } : {}) };
  const input = Object.keys(choices.input).length ? { input: choices.input } : {};
  // Each record of an export names its own source.
  if (choices.base === FAROL) return { extends: FAROL, ...input };
  if (choices.base) return { extends: choices.base, source, ...input };
  const key = keyOf(choices);
  const drop = columnsFor(choices, 'drop');
  const skip = skipRules(choices);
  return {
    source,
    ...input,
    ...(key ? { key } : {}),
    ...(choices.matchWithin ? { match_within: choices.matchWithin } : {}),
    ...(skip.length ? { skip } : {}),
    ...(choices.country ? { flag: [abroad(choices.country)] } : {}),
    fields: fieldsOf(choices, key),
    ...(drop.length ? { drop } : {}),
  };
}

/** @param {Choices} choices */
function skipRules(choices) {
  return SKIPPING.flatMap((use) => {
    const [column] = columnsFor(choices, use);
    const codes = choices.values[use] ?? {};
    const equals = Object.keys(codes).filter((value) => codes[value] === SKIP);
    return column && equals.length ? [{ when: { column, equals }, code: 'left_out', because: LEFT_OUT }] : [];
  });
}

/**
 * The rule for positions outside the country of the list.
 * @param {string} country
 */
const abroad = (country) => ({
  when: { other_country: country }, code: 'far_away',
  because: `The position is outside the country of the list (${country}).`,
});

/** @param {Choices} choices @param {string | null} key */
function fieldsOf(choices, key) {
  /** @type {Record<string, any>} */
  const fields = { category: categoryRules(choices), name: nameRules(choices, key) };
  for (const use of new Set(Object.values(choices.uses))) {
    if (['', 'drop', 'id', 'name', 'category'].includes(use)) continue;
    fields[use] = ruleOf(choices, use);
  }
  if (choices.operatorKind) {
    const constant = { value: choices.operatorKind };
    fields.operator_kind = fields.operator_kind ? [fields.operator_kind, constant] : constant;
  }
  return fields;
}

/** @param {Choices} choices @param {Use} use */
function ruleOf(choices, use) {
  const columns = columnsFor(choices, use);
  const template = isCoordinate(use) && columns.length === 1 ? choices.templates[columns[0]] : null;
  /** @type {Record<string, any>} */
  const rule = template ? { template } : { from: from(columns) };
  if (hasValues(use)) rule.values = codesOf(choices, use);
  const format = isDate(use) ? choices.formats[columns[0]] : undefined;
  if (format && format !== ISO) rule.formats = [format];
  const hasComma = columns.some((column) => choices.commas[column]);
  if (use === 'position' && choices.orders[columns[0]]) rule.order = choices.orders[columns[0]];
  if (isPlace(use) && choices.letterO) rule.letter_o = choices.letterO;
  if (hasComma && (isCoordinate(use) || use === 'height' || use === 'field_of_view')) rule.decimal = ',';
  if (use === 'height' && choices.unit !== 'm') rule.unit = choices.unit;
  return rule;
}

/** @param {Choices} choices @param {string} field */
function codesOf(choices, field) {
  return Object.fromEntries(Object.entries(choices.values[field] ?? {}).filter(([, code]) => code && code !== SKIP));
}

/** @param {Choices} choices */
function categoryRules(choices) {
  const columns = columnsFor(choices, 'category');
  if (!columns.length) return { value: choices.category };
  const rule = { from: from(columns), values: codesOf(choices, 'category') };
  return choices.category ? [{ ...rule, otherwise: 'drop' }, { value: choices.category }] : rule;
}

/**
 * A device needs a name.
 * @param {Choices} choices @param {string | null} key
 */
function nameRules(choices, key) {
  const columns = columnsFor(choices, 'name');
  const otherwise = { template: key ? `{:category_name} ${key}` : '{:category_name}' };
  return columns.length ? [{ from: from(columns) }, otherwise] : otherwise;
}

/**
 * The choices that make a mapping file; null if it has rules that the page cannot show.
 * @param {any} mapping
 * @returns {Choices | null}
 */
export function choicesOf(mapping) {
  try {
    const choices = read(mapping);
    return sameJSON(mappingOf(choices), mapping) ? choices : null;
  } catch {
    return null;
  }
}

/** @param {any} mapping */
function read(mapping) {
  const choices = noChoices();
  choices.source = { ...choices.source, ...mapping.source };
  choices.input = { ...mapping.input };
  if ([OPENSTREETMAP, FAROL].includes(mapping.extends)) choices.base = mapping.extends;
  if (choices.base) return choices;
  for (const name of /\{@type\}/.test(mapping.key ?? '') ? ['@type'] : []) choices.uses[name] = '';
  const id = /\{([^{}]+)\}$/.exec(mapping.key ?? '')?.[1];
  if (id) choices.uses[id] = 'id';
  for (const [field, rules] of Object.entries(mapping.fields)) readField(choices, /** @type {Use} */ (field), rules);
  for (const column of mapping.drop ?? []) choices.uses[column] = 'drop';
  choices.matchWithin = mapping.match_within ?? 0;
  choices.country = mapping.flag?.[0]?.when.other_country ?? '';
  for (const { when } of mapping.skip ?? []) {
    for (const value of when.equals) (choices.values[choices.uses[when.column]] ??= {})[value] = SKIP;
  }
  return choices;
}

/** @param {Choices} choices @param {Use} field @param {any} rules */
function readField(choices, field, rules) {
  for (const rule of Array.isArray(rules) ? rules : [rules]) {
    if (rule.value !== undefined) {
      if (field === 'category') choices.category = rule.value;
      else if (field === 'operator_kind') choices.operatorKind = rule.value;
    }
    const [degrees] = isCoordinate(field) ? columnsOf(rule.template ?? '') : [];
    if (degrees) choices.templates[degrees] = rule.template;
    for (const column of [rule.from ?? degrees ?? []].flat()) {
      choices.uses[column] = field;
      if (rule.order) choices.orders[column] = rule.order;
      if (rule.letter_o) choices.letterO = rule.letter_o;
      if (rule.decimal === ',') choices.commas[column] = true;
      if (rule.formats) [choices.formats[column]] = rule.formats;
    }
    if (rule.unit) choices.unit = rule.unit;
    if (rule.values) choices.values[field] = { ...rule.values };
  }
}

/**
 * Whether two JSON values are equal, whatever the order of their members.
 * @param {any} one @param {any} other @returns {boolean}
 */
export function sameJSON(one, other) {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other;
  const [left, right] = [Object.keys(one), Object.keys(other)];
  return Array.isArray(one) === Array.isArray(other) && left.length === right.length
    && left.every((name) => name in other && sameJSON(one[name], other[name]));
}

/**
 * The reasons why the choices do not make a mapping yet, as keys of sentences with the control that mends each.
 * @param {Choices} choices
 * @param {boolean} hasPositions whether the format itself provides positions
 * @returns {{key: string, control: string}[]}
 */
export function lacks(choices, hasPositions) {
  if (choices.base === FAROL) return [];
  const hasCategory = choices.base || choices.category
    || Object.values(choices.values.category ?? {}).some((code) => code && code !== SKIP);
  const has = (/** @type {Use} */ use) => columnsFor(choices, use).length > 0;
  const isPlaced = choices.base || has('position') ? true
    : has('latitude') ? has('longitude') : hasPositions && !has('longitude');
  return [
    ...(isPlaced ? [] : [{ key: 'wizard.lacks.position', control: 'columns' }]),
    ...(hasCategory ? [] : [{ key: 'wizard.lacks.category', control: 'category' }]),
    ...(choices.source.name ? [] : [{ key: 'wizard.lacks.source', control: 'name' }]),
    ...(choices.source.code ? [] : [{ key: 'wizard.lacks.code', control: 'code' }]),
    ...(choices.source.licence ? [] : [{ key: 'wizard.lacks.licence', control: 'licence' }]),
    ...(choices.source.attribution ? [] : [{ key: 'wizard.lacks.attribution', control: 'attribution' }]),
  ];
}
