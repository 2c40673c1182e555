// @ts-check
// The frames of the continents: each with land in its middle, and without most of the sea around. Pure.

import { cellBox } from './heat.js';

/** @typedef {import('../geography.js').Box} Box */
/** @typedef {import('./heat.js').Grid} Grid */

/** @type {Record<string, Box>} */
export const CONTINENTS = {
  europe: [-11, 35, 32, 61], north_america: [-128, 14, -64, 55], south_america: [-82, -55, -34, 13],
  africa: [-18, -35, 52, 37], asia: [26, -10, 145, 55], oceania: [112, -46, 180, -8],
};

/**
 * The number of devices of a grid, or of its cells with their middle in a box.
 * @param {Grid} grid @param {Box} [box]
 */
export function devicesIn({ zoom, cells }, box) {
  return cells.reduce((sum, cell) => sum + (!box || isInside(cellBox(cell, zoom), box) ? cell.count : 0), 0);
}

/** @param {Box} cell @param {Box} box */
function isInside([west, south, east, north], box) {
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  return x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];
}

/**
 * The continent with at least half of the devices of a grid, otherwise null.
 * @param {Grid} grid @returns {Box | null}
 */
export function fullest(grid) {
  const [[count, box]] = Object.values(CONTINENTS)
    .map((frame) => /** @type {[number, Box]} */ ([devicesIn(grid, frame), frame])).sort((a, b) => b[0] - a[0]);
  return count && 2 * count >= devicesIn(grid) ? box : null;
}
