// @ts-check
// Watches as a file, to keep them or to take them into another browser. Pure.

import { decodeState, filterParts } from '../state.js';
import { readArea } from './area.js';
import { cellsAround } from './grid.js';
import { cleanLabel, decidable, MOST_WATCHES, portable } from './watch.js';

/** @typedef {import('./watch.js').Portable} Portable */
/** @typedef {import('../state.js').Filters} Filters */

const FORMAT = 'farol-watches';
const VERSION = 1;
export const LARGEST = 1_000_000; // octets of a file
const MOST_CODES = 300; // in one filter

/** @param {import('./watch.js').Watch[]} watches */
export function exported(watches) {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, watches: watches.map(portable) }, null, 2)}\n`;
}

/**
 * Reads a file.
 * @param {string} text
 * @returns {{watches: Portable[], refused: number} | null} null: not a file with watches
 */
export function imported(text) {
  /** @type {any} */
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (value?.format !== FORMAT || value.version !== VERSION || !Array.isArray(value.watches)) return null;
  /** @type {Portable[]} */
  const watches = [];
  for (const one of value.watches.slice(0, MOST_WATCHES)) {
    const watch = readWatch(one);
    if (watch) watches.push(watch);
  }
  return { watches, refused: value.watches.length - watches.length };
}

/** @param {any} value @returns {Portable | null} */
function readWatch(value) {
  const label = typeof value?.label === 'string' ? cleanLabel(value.label.slice(0, 1_000)) : '';
  const area = readArea(value?.area);
  const filters = readFilters(value?.filters);
  if (!label || !area || !filters || !cellsAround(area)) return null;
  return { label, area: area.type === 'place' ? { ...area, name: cleanLabel(area.name) } : area, filters };
}

/** @param {any} value @returns {Filters | null} null if a filter or a value is not valid */
function readFilters(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value);
  const isList = (/** @type {any} */ codes) => Array.isArray(codes) && codes.length <= MOST_CODES
    && codes.every((code) => typeof code === 'string' && !/\p{Cs}/u.test(code));
  if (entries.length > MOST_CODES || !entries.every(([, codes]) => isList(codes))) return null;
  const wanted = Object.fromEntries(entries.map(([name, codes]) => [name, [...new Set(codes)].sort()])
    .filter(([, codes]) => codes.length));
  // The address of the map has the same limits.
  const parts = filterParts({ filters: decidable(wanted), words: '', spot: null });
  const { filters } = decodeState(parts.join('&'), '');
  const isSame = Object.keys(wanted).length === Object.keys(filters).length
    && Object.entries(wanted).every(([name, codes]) => [...filters[name] ?? []].sort().join('\n') === codes.join('\n'));
  return isSame ? filters : null;
}

/**
 * Whether two watches watch the same.
 * @param {Portable} a @param {Portable} b
 */
export function isSame(a, b) {
  const [first, second] = [a, b].map(({ filters }) => filterParts({ filters, words: '', spot: null }).join('&'));
  return a.label === b.label && JSON.stringify(a.area) === JSON.stringify(b.area) && first === second;
}
