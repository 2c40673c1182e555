// @ts-check
// Counts passed devices: by kind of data, by category, by operator. Pure.

import { KINDS } from './kinds.js';

/** @typedef {import('./kinds.js').Kind} Kind */
/** @typedef {{id: string, category: string, operator: string | null, kinds: Kind[]}} Passed a device, once */
/** @typedef {{operator: string, devices: string[], kinds: Kind[]}} OperatorCount */
/**
 * @typedef {object} Count
 * @property {number} devices
 * @property {{category: string, count: number}[]} categories the most frequent first
 * @property {{kind: Kind, count: number}[]} kinds those that occur, in the order of the pages
 * @property {OperatorCount[]} operators the one with the most devices first
 * @property {number} unnamed devices without a named operator
 */

/** @param {readonly Passed[]} passed may contain a device more than once @returns {Count} */
export function countPassed(passed) {
  const devices = [...new Map(passed.map((one) => [one.id, one])).values()];
  /** @type {Map<string, number>} */
  const categories = new Map();
  /** @type {Map<string, OperatorCount>} */
  const operators = new Map();
  for (const { id, category, operator, kinds } of devices) {
    categories.set(category, (categories.get(category) ?? 0) + 1);
    if (operator) {
      const one = operators.get(operator) ?? { operator, devices: [], kinds: [] };
      one.devices.push(id);
      one.kinds = KINDS.filter((kind) => one.kinds.includes(kind) || kinds.includes(kind));
      operators.set(operator, one);
    }
  }
  return {
    devices: devices.length,
    categories: [...categories].map(([category, count]) => ({ category, count }))
      .sort((a, b) => b.count - a.count || (a.category < b.category ? -1 : 1)),
    kinds: KINDS.map((kind) => ({ kind, count: devices.filter(({ kinds }) => kinds.includes(kind)).length }))
      .filter(({ count }) => count),
    operators: [...operators.values()]
      .sort((a, b) => b.devices.length - a.devices.length || (a.operator < b.operator ? -1 : 1)),
    unnamed: devices.filter(({ operator }) => !operator).length,
  };
}
