// @ts-check
// Conditions on properties, and the CQL2 text that means the same (OGC 21-065r2). Pure.

import { CQL2Reader } from './reader.js';

/** @typedef {'text' | 'code' | 'codes' | 'number' | 'date' | 'flag' | 'area'} Kind of a property */
/**
 * One condition. `values` has as many texts as its operator needs: none for `known`, the four edges of a box for
 * `within`, any number for the operators of lists.
 * @typedef {{property: string, operator: string, values: string[]}} Condition
 */
/** @typedef {{isAny: boolean, conditions: Condition[]}} Query `isAny`: one true condition is enough */

const UNKNOWN = ['known', 'unknown'];
/**
 * The operators of each kind, the usual one first.
 * @type {Record<Kind, readonly string[]>}
 */
export const OPERATORS = Object.freeze({
  text: ['contains', 'begins', 'is', 'is_not', ...UNKNOWN],
  code: ['one_of', 'none_of', ...UNKNOWN],
  codes: ['any_of', 'all_of', ...UNKNOWN],
  number: ['at_least', 'at_most', 'is', 'is_not', 'between', ...UNKNOWN],
  date: ['since', 'until', 'on', ...UNKNOWN],
  flag: ['true', 'false', ...UNKNOWN],
  area: ['within'],
});

/** Operators whose values are chosen from a list. */
export const LISTS = Object.freeze(['one_of', 'none_of', 'any_of', 'all_of']);

/**
 * The number of values of an operator; null: one or more.
 * @param {string} operator
 */
export function valueCount(operator) {
  if (LISTS.includes(operator)) return null;
  if ([...UNKNOWN, 'true', 'false'].includes(operator)) return 0;
  if (operator === 'within') return 4;
  return operator === 'between' ? 2 : 1;
}

/**
 * Whether a condition has the values that its operator needs.
 * @param {Condition} condition @param {Kind} kind
 */
export function isComplete({ operator, values }, kind) {
  const count = valueCount(operator);
  if (count === null ? !values.length : values.length !== count) return false;
  return values.every((value) => {
    if (kind === 'number' || kind === 'area') return NUMBER.test(value);
    return kind === 'date' ? DAY.test(value) : value !== '';
  });
}

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** @type {Record<string, string>} */
const COMPARISONS = { at_least: '>=', at_most: '<=', is: '=', is_not: '<>', since: '>=', until: '<=', on: '=' };

/**
 * The condition in CQL2.
 * @param {Condition} condition a complete one @param {Kind} kind
 */
export function conditionText({ property, operator, values }, kind) {
  const [first, second] = values.map((value) => literal(value, kind));
  const list = () => `(${values.map((value) => literal(value, kind)).join(', ')})`;
  switch (operator) {
    case 'known': return `${property} IS NOT NULL`;
    case 'unknown': return `${property} IS NULL`;
    case 'true': case 'false': return `${property} = ${operator.toUpperCase()}`;
    case 'contains': return `CASEI(${property}) LIKE CASEI('%${pattern(values[0])}%')`;
    case 'begins': return `CASEI(${property}) LIKE CASEI('${pattern(values[0])}%')`;
    case 'one_of': return `${property} IN ${list()}`;
    case 'none_of': return `${property} NOT IN ${list()}`;
    case 'any_of': return `A_OVERLAPS(${property}, ${list()})`;
    case 'all_of': return `A_CONTAINS(${property}, ${list()})`;
    case 'between': return `${property} BETWEEN ${first} AND ${second}`;
    case 'within': return `S_INTERSECTS(${property}, BBOX(${values.join(', ')}))`;
    default: return `${property} ${COMPARISONS[operator]} ${first}`;
  }
}

/** @param {string} value @param {Kind} kind */
function literal(value, kind) {
  if (kind === 'number') return value;
  const quoted = `'${value.replaceAll("'", "''")}'`;
  return kind === 'date' ? `DATE(${quoted})` : quoted;
}

/**
 * A text inside a pattern of `LIKE`.
 * @param {string} value
 */
function pattern(value) { return value.replace(/[\\%_]/g, '\\$&').replaceAll("'", "''"); }

/**
 * The complete conditions in CQL2; empty without one.
 * @param {Query} query @param {(property: string) => Kind | undefined} kindOf
 */
export function filterText({ isAny, conditions }, kindOf) {
  const texts = conditions.flatMap((condition) => {
    const kind = kindOf(condition.property);
    return kind && isComplete(condition, kind) ? [conditionText(condition, kind)] : [];
  });
  return texts.join(isAny ? ' OR ' : ' AND ');
}

/**
 * The conditions of a text, if it could have been made by `filterText`.
 * @param {string} text @param {(property: string) => Kind | undefined} kindOf
 * @returns {Query | null} null: the text needs a person to write it
 */
export function readFilter(text, kindOf) {
  if (!text.trim()) return { isAny: false, conditions: [] };
  const reader = new CQL2Reader(text);
  /** @type {Condition[]} */
  const conditions = [];
  let joint = '';
  for (;;) {
    const condition = readCall(reader, kindOf) ?? readComparison(reader, kindOf);
    if (!condition) return null;
    conditions.push(condition);
    if (reader.isAtEnd) return { isAny: joint === 'OR', conditions };
    const next = reader.word('AND') ? 'AND' : reader.word('OR') ? 'OR' : null;
    if (!next || (joint && next !== joint)) return null;
    joint = next;
  }
}

/** @type {Record<string, string>} */
const ARRAYS = { A_OVERLAPS: 'any_of', A_CONTAINS: 'all_of' };

/**
 * @param {CQL2Reader} reader @param {(property: string) => Kind | undefined} kindOf @returns {Condition | null}
 */
function readCall(reader, kindOf) {
  for (const [name, operator] of Object.entries(ARRAYS)) {
    if (!reader.call(name)) continue;
    const property = reader.property(kindOf, ['codes']);
    const values = property && reader.sign(',') ? reader.list() : null;
    return property && values && reader.sign(')') ? { property, operator, values } : null;
  }
  if (reader.call('S_INTERSECTS')) {
    const property = reader.property(kindOf, ['area']);
    const values = property && reader.sign(',') && reader.call('BBOX') ? reader.numbers(4) : null;
    return property && values && reader.sign(')') && reader.sign(')') ? { property, operator: 'within', values } : null;
  }
  if (reader.call('CASEI')) {
    const property = reader.property(kindOf, ['text']);
    const isPattern = property && reader.sign(')') && reader.word('LIKE') && reader.call('CASEI');
    const written = isPattern ? reader.string() : null;
    return property && written !== null && reader.sign(')') ? ofPattern(property, written) : null;
  }
  return null;
}

/** @param {string} property @param {string} written @returns {Condition | null} */
function ofPattern(property, written) {
  const operator = written.startsWith('%') ? 'contains' : 'begins';
  const inner = operator === 'contains' ? written.slice(1) : written;
  const found = /^((?:[^\\%_]|\\[\\%_])+)%$/.exec(inner);
  return found && { property, operator, values: [found[1].replace(/\\([\\%_])/g, '$1')] };
}

/**
 * @param {CQL2Reader} reader @param {(property: string) => Kind | undefined} kindOf @returns {Condition | null}
 */
function readComparison(reader, kindOf) {
  const property = reader.property(kindOf, ['text', 'code', 'codes', 'number', 'date', 'flag']);
  const kind = property && kindOf(property);
  if (!property || !kind) return null;
  const found = readUnknown(reader) ?? readList(reader, kind) ?? readRange(reader, kind) ?? readSign(reader, kind);
  return found && { property, ...found };
}

/** @typedef {{operator: string, values: string[]} | null} Rest the part of a condition after its property */

/** @param {CQL2Reader} reader @returns {Rest} */
function readUnknown(reader) {
  if (!reader.word('IS')) return null;
  const operator = reader.word('NOT') ? 'known' : 'unknown';
  return reader.word('NULL') ? { operator, values: [] } : null;
}

/** @param {CQL2Reader} reader @param {Kind} kind @returns {Rest} */
function readList(reader, kind) {
  if (kind !== 'code') return null;
  const operator = reader.word('NOT') ? 'none_of' : 'one_of';
  const values = reader.word('IN') ? reader.list() : null;
  return values && { operator, values };
}

/** @param {CQL2Reader} reader @param {Kind} kind @returns {Rest} */
function readRange(reader, kind) {
  if (kind !== 'number' || !reader.word('BETWEEN')) return null;
  const least = reader.number();
  const most = least !== null && reader.word('AND') ? reader.number() : null;
  return least !== null && most !== null ? { operator: 'between', values: [least, most] } : null;
}

/** @param {CQL2Reader} reader @param {Kind} kind @returns {Rest} */
function readSign(reader, kind) {
  const sign = reader.comparison();
  if (!sign) return null;
  if (kind === 'flag') {
    const operator = ['TRUE', 'FALSE'].find((word) => reader.word(word));
    return sign === '=' && operator ? { operator: operator.toLowerCase(), values: [] } : null;
  }
  if (kind === 'code' && sign === '=') {
    const code = reader.string();
    return code === null ? null : { operator: 'one_of', values: [code] };
  }
  const value = kind === 'number' ? reader.number() : kind === 'date' ? reader.day() : reader.string();
  const operator = OPERATORS[kind].find((name) => COMPARISONS[name] === sign);
  return value !== null && operator ? { operator, values: [value] } : null;
}
