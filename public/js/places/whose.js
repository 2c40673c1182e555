// @ts-check
// Whose the devices of a place are, in one sentence: «Operators: Koko Chicken 5, Technopark 6. Unknown: 282». Pure.

import { formatList, formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';

/**
 * @typedef {object} Groups response of the statistics by operator
 * @property {number} total
 * @property {{operator: string | null, count: number | null}[]} groups
 * @property {{groups: number, count: number}} [rest]
 */

const NAMED = 3;

/** @param {string} id of a place @returns {string} path of the statistics with its operators */
export function whosePath(id) {
  return `/api/statistics?${new URLSearchParams({ place: id, group_by: 'operator', limit: String(NAMED + 1) })}`;
}

/** @param {Groups} answer @returns {string} empty without devices */
export function whoseWords({ total, groups, rest }) {
  if (!total) return '';
  const number = (/** @type {number} */ count) => formatNumber(count, language());
  const known = groups.filter(({ operator, count }) => operator !== null && count !== null);
  const unknown = groups.find(({ operator }) => operator === null)?.count ?? 0;
  const named = known.slice(0, NAMED).map(({ operator, count }) => `${operator} ${number(count ?? 0)}`);
  const others = known.length - named.length + (rest?.groups ?? 0);
  if (others) named.push(plural('whose.others', others, { count: number(others) }));
  return [
    named.length && translate('whose.operators', { names: formatList(named, language()) }),
    unknown && plural('whose.unknown', unknown, { count: number(unknown) }),
  ].filter(Boolean).join(' ');
}
