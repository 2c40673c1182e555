// @ts-check
// The part of the world with the devices of a grid. Pure.

import { cellBox } from './heat.js';

/** @typedef {import('../geography.js').Box} Box */
/** @typedef {import('./heat.js').Grid} Grid */

const OUTLIERS = 0.02; // share of devices at each edge that may be out of view

/**
 * The box of all devices except the outermost ones; null without devices. It crosses the antimeridian if that makes it
 * smaller.
 * @param {Grid} grid @returns {Box | null}
 */
export function boxOfCells({ zoom, cells }) {
  if (!cells.length) return null;
  const tiles = 2 ** zoom;
  const start = afterWidestGap(cells.map(({ x }) => x), tiles);
  const [first, last] = range(cells.map(({ x, count }) => [(x - start + tiles) % tiles, count]));
  const [north, south] = range(cells.map(({ y, count }) => [y, count]));
  const [west, , , top] = cellBox({ x: (first + start) % tiles, y: north }, zoom);
  const [, bottom, east] = cellBox({ x: (last + start) % tiles, y: south }, zoom);
  return [west, bottom, east, top];
}

/**
 * The cells of the square with the most devices.
 * @param {Grid} grid @param {number} size the side of a square is 2 ** size cells
 * @returns {Grid}
 */
export function fullestPart({ zoom, cells, ...more }, size) {
  /** @type {Map<string, {count: number, cells: typeof cells}>} */
  const squares = new Map();
  for (const cell of cells) {
    const key = `${cell.x >> size} ${cell.y >> size}`;
    const square = squares.get(key) ?? { count: 0, cells: [] };
    square.count += cell.count;
    square.cells.push(cell);
    squares.set(key, square);
  }
  const [best] = [...squares.values()].sort((a, b) => b.count - a.count);
  return { zoom, ...more, cells: best?.cells ?? [] };
}

/**
 * The column after the widest range of columns without devices, around the world.
 * @param {number[]} columns @param {number} tiles
 */
function afterWidestGap(columns, tiles) {
  const sorted = [...new Set(columns)].sort((a, b) => a - b);
  let best = sorted[0];
  let widest = sorted[0] + tiles - (sorted.at(-1) ?? 0);
  for (let place = 1; place < sorted.length; place += 1) {
    if (sorted[place] - sorted[place - 1] > widest) {
      widest = sorted[place] - sorted[place - 1];
      best = sorted[place];
    }
  }
  return best;
}

/**
 * The smallest and the largest value without the outermost devices.
 * @param {[number, number][]} values each with its number of devices
 */
function range(values) {
  const sorted = [...values].sort((a, b) => a[0] - b[0]);
  const out = OUTLIERS * sorted.reduce((sum, [, count]) => sum + count, 0);
  const edge = (/** @type {[number, number][]} */ from) => {
    let passed = 0;
    return (from.find(([, count]) => { passed += count; return passed > out; }) ?? from[0])[0];
  };
  return [edge(sorted), edge([...sorted].reverse())];
}
