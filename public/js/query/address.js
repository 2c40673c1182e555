// @ts-check
// The state of the query page and its address. Pure.

import { decodeFilter } from '../state.js';
import { PROPERTIES } from '../statistics/question.js';
import { COLUMNS, USUAL_COLUMNS } from './columns.js';

/** @typedef {'table' | 'map' | 'chart' | 'code'} Look */
/**
 * @typedef {object} QueryState
 * @property {string} filter a condition in CQL2; empty: all devices
 * @property {Look} look how the result is shown
 * @property {readonly string[]} columns of the table
 * @property {string} by the property of the chart
 */

/** @type {readonly Look[]} the usual one first */
export const LOOKS = Object.freeze(/** @type {Look[]} */ (['table', 'map', 'chart', 'code']));

/** @param {string} query with or without the question mark @returns {QueryState} */
export function decodeQuery(query) {
  const parameters = new URLSearchParams(query);
  const columns = parameters.get('columns');
  const by = parameters.get('by') ?? '';
  const look = LOOKS.find((one) => one === parameters.get('look'));
  return {
    filter: decodeFilter(parameters), look: look ?? LOOKS[0],
    columns: columns === null ? USUAL_COLUMNS : COLUMNS.filter((name) => columns.split(',').includes(name)),
    by: PROPERTIES.includes(by) ? by : PROPERTIES[0],
  };
}

/**
 * The address of a state; usual values are left out.
 * @param {QueryState} state
 */
export function encodeQuery({ filter, look, columns, by }) {
  const parameters = new URLSearchParams();
  if (filter) parameters.set('filter', filter);
  if (look !== LOOKS[0]) parameters.set('look', look);
  if (columns.join() !== USUAL_COLUMNS.join()) parameters.set('columns', columns.join());
  if (by !== PROPERTIES[0]) parameters.set('by', by);
  const query = parameters.toString();
  return query ? `/query?${query}` : '/query';
}

/**
 * The parameters that select the devices in the API.
 * @param {{filter: string}} state
 */
export function parametersOf({ filter }) { return new URLSearchParams(filter ? { filter } : {}); }
