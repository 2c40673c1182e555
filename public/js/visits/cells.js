// @ts-check
// The cells that volunteers name instead of a position (docs/reference/visits.md, «Order»). Pure.

/** @typedef {import('../types').Box} Box */
/** @typedef {import('../types').Position} Position */

const HEIGHT = 0.02; // degrees of a row: 2.2 km
const ROWS = 9_000;
const COLUMNS = 18_000; // of a row at the equator

/** @param {number} row */
function columnsOf(row) {
  const south = row * HEIGHT - 90;
  const farthest = Math.max(Math.abs(south), Math.abs(south + HEIGHT));
  return Math.max(1, Math.floor(Math.cos((farthest * Math.PI) / 180) * COLUMNS));
}

/**
 * The name of the cell of a position: `row-column`.
 * @param {Position} position
 */
export function cellOf([longitude, latitude]) {
  const row = Math.min(ROWS - 1, Math.max(0, Math.floor((latitude + 90) / HEIGHT)));
  const columns = columnsOf(row);
  const column = Math.min(columns - 1, Math.max(0, Math.floor(((longitude + 180) / 360) * columns)));
  return `${row}-${column}`;
}

/**
 * The edges of a cell; null if there is no such cell.
 * @param {string} cell
 * @returns {Box | null}
 */
export function boxOfCell(cell) {
  const [, row, column] = (/^(\d{1,4})-(\d{1,5})$/.exec(cell) ?? []).map(Number);
  if (!(row < ROWS)) return null;
  const columns = columnsOf(row);
  if (!(column < columns)) return null;
  const edge = (/** @type {number} */ number) => (number / columns) * 360 - 180;
  const tidy = (/** @type {number} */ degrees) => Math.round(degrees * 1e7) / 1e7;
  return [tidy(edge(column)), tidy(row * HEIGHT - 90), tidy(edge(column + 1)), tidy((row + 1) * HEIGHT - 90)];
}
