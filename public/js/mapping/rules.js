// @ts-check
// The rules of a mapping file, as a table shows them. Pure.

/**
 * @typedef {object} Rule
 * @property {string} field the field of the device
 * @property {string[]} columns the columns that it is read from, or the template with the columns in braces
 * @property {string | null} value the same value for all rows
 * @property {number} translated values of the column that are translated into others
 * @property {boolean} isConditional whether the rule applies to some rows only
 */
/** @typedef {{kind: 'skip' | 'refuse' | 'flag', because: string}} RowRule */
/** @typedef {{from?: string | string[], template?: string, value?: unknown, values?: object, patterns?: unknown[],
 *   when?: unknown}} RuleText */

const ROW_RULES = /** @type {const} */ (['skip', 'refuse', 'flag']);

/**
 * The rules of the fields, in the order of the mapping file.
 * @param {any} mapping
 * @param {readonly string[]} columns the columns of the file that the mapping used. A text alone is a column in some
 *   fields and a code in others.
 * @returns {Rule[]}
 */
export function rulesOf(mapping, columns) {
  const known = new Set(columns);
  return Object.entries(mapping?.fields ?? {}).flatMap(([field, rules]) => (
    [rules].flat().map((rule) => read(field, rule, known))));
}

/**
 * The rules for whole rows, with the reason that the report states.
 * @param {any} mapping
 * @returns {RowRule[]}
 */
export function rowRulesOf(mapping) {
  return ROW_RULES.flatMap((kind) => [mapping?.[kind] ?? []].flat()
    .filter((rule) => typeof rule?.because === 'string')
    .map((rule) => ({ kind, because: rule.because })));
}

/** @param {string} field @param {unknown} rule @param {Set<string>} known @returns {Rule} */
function read(field, rule, known) {
  const none = { field, columns: [], value: null, translated: 0, isConditional: false };
  if (typeof rule !== 'object' || rule === null) {
    const text = String(rule);
    return known.has(text) ? { ...none, columns: [text] } : { ...none, value: text };
  }
  const { from, template, value, values, patterns, when } = /** @type {RuleText} */ (rule);
  return {
    field,
    columns: template === undefined ? [from ?? []].flat() : [template],
    value: value === undefined ? null : [value].flat().join(', '),
    translated: Object.keys(values ?? {}).length + (patterns?.length ?? 0),
    isConditional: when !== undefined,
  };
}
