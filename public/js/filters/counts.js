// @ts-check
// The number of devices behind each value of each filter, in the current area and with the other filters.

import { getJSON } from '../api.js';
import { filterParameters } from '../state.js';
import { FACETS } from './facets.js';

/** @typedef {import('../state.js').Filtered} Filtered */
/** @typedef {Map<string, Map<string, number>>} Counts by filter and value; a missing value has no devices */

/** Statuses that lists leave out unless the filter names them. */
const STATUSES = 'reported,confirmed,disputed,removed,not_a_device';

/**
 * The request that counts the values of a filter. The filter itself is left out: its values add to each other, so the
 * count of a value says what a tap on it adds.
 * @param {string} name @param {Filtered} state
 * @param {Record<string, string>} area `bbox` or `place`; empty: everywhere
 */
export function countPath(name, state, area) {
  const { [name]: _, ...others } = state.filters;
  const parameters = filterParameters({ ...state, filters: others });
  if (name === 'status') parameters.set('status', STATUSES);
  for (const [key, value] of Object.entries(area)) parameters.set(key, value);
  parameters.set('group_by', name);
  return `/api/statistics?${parameters}`;
}

/**
 * The counts in a response of the statistics.
 * @param {string} name @param {{groups?: Record<string, any>[]}} answer
 * @returns {Map<string, number>}
 */
export function readCounts(name, answer) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const group of answer.groups ?? []) {
    const code = group[name];
    if (typeof code === 'string' && Number.isFinite(group.count)) {
      counts.set(code, (counts.get(code) ?? 0) + group.count);
    }
  }
  return counts;
}

/**
 * The counts of all filters. Filters whose request failed are missing.
 * @param {Filtered} state @param {Record<string, string>} area
 * @returns {Promise<Counts>}
 */
export async function facetCounts(state, area) {
  const found = await Promise.all(FACETS.map(async ({ name }) => {
    const answer = await getJSON(countPath(name, state, area)).catch(() => null);
    return answer && /** @type {[string, Map<string, number>]} */ ([name, readCounts(name, answer)]);
  }));
  return new Map(found.filter((one) => one !== null));
}
