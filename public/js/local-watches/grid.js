// @ts-check
// The coarse cells in which the browser asks for changes (docs/reference/api.md, «Changes by cell»). Pure.
//
// The cells around an area depend only on the cell of its middle and on its size in whole cells. So the server does
// not learn where in the middle cell the area is, not even if the area touches an edge.

import { wrapLongitude } from '../geography.js';
import { boundsOf } from './area.js';

/** @typedef {import('./area.js').Area} Area */

const ROW = 1_440; // numbers in a row
const ROWS = 720;
const CAP_ROWS = 12;
const PER_DEGREE = 4;
/** Cells that one watch may need: an area of about 160 km on each side, or a small one near a pole. */
export const MOST_CELLS = 100;

/**
 * The width of the cells of a row in quarters of a degree; 0 in a cap, which is one cell.
 * @param {number} row
 */
function widthOf(row) {
  const rows = Math.min(row, ROWS - 1 - row);
  if (rows >= 184) return 1;
  if (rows >= 88) return 2;
  if (rows >= 44) return 4;
  if (rows >= 24) return 8;
  return rows >= CAP_ROWS ? 16 : 0;
}

/** @param {number} latitude */
function rowOf(latitude) { return Math.min(ROWS - 1, Math.floor((latitude + 90) * PER_DEGREE)); }

/**
 * The number of the cell of a position.
 * @param {import('../types').Position} position
 */
export function cellOf([longitude, latitude]) {
  const row = rowOf(latitude);
  const width = widthOf(row);
  if (!width) return latitude > 0 ? (ROWS - 1) * ROW : 0;
  return row * ROW + Math.floor((Math.floor((longitude + 180) * PER_DEGREE) % ROW) / width);
}

/**
 * The area of a cell.
 * @param {number} cell
 * @returns {import('../types').Box}
 */
export function boxOfCell(cell) {
  const row = Math.floor(cell / ROW);
  const width = widthOf(row);
  const cap = 90 - CAP_ROWS / PER_DEGREE; // degrees of latitude at which a cap begins
  if (!width) return row < ROWS / 2 ? [-180, -90, 180, -cap] : [-180, cap, 180, 90];
  const west = ((cell % ROW) * width) / PER_DEGREE - 180;
  return [west, row / PER_DEGREE - 90, west + width / PER_DEGREE, (row + 1) / PER_DEGREE - 90];
}

/**
 * The cells that touch a cell.
 * @param {number} cell
 * @returns {number[]}
 */
export function neighbours(cell) {
  const [west, south, east, north] = boxOfCell(cell);
  const [longitude, latitude] = [(west + east) / 2, (south + north) / 2];
  const block = cellsAround({ type: 'box', box: [longitude, latitude, longitude, latitude] });
  return (block ?? []).filter((one) => one !== cell);
}

/**
 * The cells to read for an area: a block of cells around its middle. Null if there would be too many.
 * @param {Area} area
 * @returns {number[] | null}
 */
export function cellsAround(area) {
  const [west, south, east, north] = boundsOf(area);
  const span = east >= west ? east - west : east + 360 - west;
  const [longitude, latitude] = [wrapLongitude(west + span / 2), (south + north) / 2];
  const row = rowOf(latitude);
  const width = widthOf(row) || ROW; // a cap is as wide as the world
  const reach = Math.max(1, Math.ceil(((north - south) / 2) * PER_DEGREE),
    Math.ceil(((span / 2) * PER_DEGREE) / width));
  const [first, last] = [Math.max(0, row - reach), Math.min(ROWS - 1, row + reach)];
  const column = Math.floor(Math.floor((longitude + 180) * PER_DEGREE) / width);
  /** @type {Set<number>} */
  const cells = new Set();
  for (let current = first; current <= last; current += 1) {
    addRow(cells, current, (column - reach) * width, (column + reach + 1) * width);
    if (cells.size > MOST_CELLS) return null;
  }
  return [...cells];
}

/**
 * Adds the cells of a row between two meridians, in quarters of a degree from the antimeridian.
 * @param {Set<number>} cells @param {number} row @param {number} west @param {number} east
 */
function addRow(cells, row, west, east) {
  const width = widthOf(row);
  if (!width) {
    cells.add(row < ROWS / 2 ? 0 : (ROWS - 1) * ROW);
    return;
  }
  const columns = ROW / width;
  const first = Math.floor(west / width);
  const count = Math.min(columns, Math.ceil(east / width) - first);
  for (let i = 0; i < count && cells.size <= MOST_CELLS; i += 1) {
    cells.add(row * ROW + (((first + i) % columns) + columns) % columns);
  }
}
