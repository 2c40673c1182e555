// @ts-check
// Outcomes of requests as in the API: rounded, and omitted if there are too few requesters. Pure functions.

/**
 * @typedef {object} Outcome
 * @property {number} asked
 * @property {number | null} honoured null: too few requests
 * @property {number | null} refused
 * @property {number | null} overdue
 * @property {number | null} medianDays from the request to the answer
 * @property {string | null} asOf the date of the count
 */
/** @typedef {Outcome & {name: string, id: string | null, category: string | null}} OutcomeRow */
/** @typedef {{rows: OutcomeRow[], minimum: number, roundedTo: number, next: string | null}} OutcomePage */
/** @typedef {{operator: Outcome | null, category: Outcome | null}} Practice */
/** @typedef {'name' | 'asked' | 'honoured' | 'refused' | 'overdue' | 'medianDays'} Column */

export const COLUMNS = /** @type {const} */ (['name', 'asked', 'honoured', 'refused', 'overdue', 'medianDays']);

/** The minimum number of different requesters for any figure. */
export const MINIMUM = 10;
export const ROUNDED_TO = 5;

/** @param {any} value @returns {number | null} */
const count = (value) => (Number.isInteger(value) && value >= 0 ? value : null);
/** @param {any} value @returns {string | null} */
const text = (value) => (typeof value === 'string' && value.trim() ? value : null);

/**
 * @param {any} given
 * @returns {Outcome | null} null if there are too few requests
 */
export function readOutcome(given) {
  const asked = count(given?.asked);
  if (asked === null) return null;
  return {
    asked, honoured: count(given.honoured), refused: count(given.refused), overdue: count(given.overdue),
    medianDays: count(given.median_days), asOf: text(given.as_of),
  };
}

/**
 * The outcomes that the page of a device shows next to its choices.
 * @param {any} given @returns {Practice}
 */
export function readPractice(given) {
  return { operator: readOutcome(given?.operator), category: readOutcome(given?.category) };
}

/** @param {any} given response of `/api/outcomes` @returns {OutcomePage} */
export function readOutcomes(given) {
  /** @type {OutcomeRow[]} */
  const rows = [];
  for (const one of Array.isArray(given?.outcomes) ? given.outcomes : []) {
    const outcome = readOutcome(one);
    const category = text(one?.category);
    const name = category ?? text(one?.operator?.name);
    if (outcome && name) rows.push({ ...outcome, name, category, id: text(one?.operator?.id) });
  }
  return {
    rows, minimum: count(given?.minimum) ?? MINIMUM, roundedTo: count(given?.rounded_to) ?? ROUNDED_TO,
    next: text(given?.next),
  };
}

/**
 * Sorts rows by a column. Unknown values come last in both directions, and equal values are sorted by name.
 * @param {OutcomeRow[]} rows @param {Column} column @param {boolean} isUp @param {(row: OutcomeRow) => string} nameOf
 * @param {string} language
 */
export function sorted(rows, column, isUp, nameOf, language) {
  const collator = new Intl.Collator(language, { sensitivity: 'base', numeric: true });
  const byName = (/** @type {OutcomeRow} */ one, /** @type {OutcomeRow} */ other) => collator.compare(nameOf(one),
    nameOf(other));
  return [...rows].sort((one, other) => {
    if (column === 'name') return isUp ? byName(one, other) : byName(other, one);
    const [a, b] = [one[column], other[column]];
    if (a === b) return byName(one, other);
    if (a === null) return 1;
    if (b === null) return -1;
    return isUp ? a - b : b - a;
  });
}
