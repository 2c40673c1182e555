// @ts-check
// Requests that people make together, as in the API. Pure functions.

/**
 * @typedef {object} Common
 * @property {string} id
 * @property {{key: string, name: string}} operator
 * @property {{id: string, name: string, country: string | null} | null} place
 * @property {{id: string, name: string | null, category: string | null}} device
 * @property {string} kind
 * @property {string | null} right
 * @property {number | null} people at least so many people; null: too few to show a number
 * @property {string | null} as_of
 * @property {string | null} shown_on
 * @property {string | null} due_on
 * @property {{honoured: number | null, refused: number | null, overdue: number | null}} answers
 */
/** @typedef {{request: string, choice: string}} Own */

export const ANSWERS = /** @type {const} */ (['honoured', 'refused', 'overdue']);

/** @param {string} id */
export const commonPath = (id) => `/together/${encodeURIComponent(id)}`;

/**
 * The state of a request: people gather, the operator has time to answer, or the deadline is over.
 * @param {Pick<Common, 'people' | 'due_on'>} common @param {string} today ISO 8601
 * @returns {'gathering' | 'waiting' | 'over'}
 */
export function stateOf({ due_on: due }, today) {
  if (!due) return 'gathering';
  return today <= due ? 'waiting' : 'over';
}

/**
 * The choice with which the user takes part, if any.
 * @param {Own[]} own @param {string} id of the common request
 */
export function ownChoice(own, id) {
  return own.find(({ request }) => request === id)?.choice ?? null;
}
