// @ts-check
// «Hide my area»: whether the user wants decoys, the seed that keeps them the same, and the places they are drawn from.

import { getUnnamed } from '../api.js';
import { cellMiddle } from '../map/heat.js';
import { item } from '../storage/kept.js';
import { newID } from '../unique.js';
import { steadyRandom, withDecoyCells } from './regions.js';

const SEED = 'farol.decoys';
export const DECOYS = 3; // false regions for each real one
const GRID = '/api/statistics?grid=6';

/** Whether the user asked for decoys in this browser. */
export function isHiding() { return seed() !== ''; }

/** @param {boolean} isWanted */
export function hide(isWanted) {
  try {
    if (isWanted) item(SEED).set(newID());
    else item(SEED).remove();
  } catch {
    // The browser refuses storage.
  }
}

function seed() {
  try {
    return item(SEED).get() ?? '';
  } catch {
    return '';
  }
}

/**
 * Random numbers for a region: the same at each visit.
 * @param {string} region
 */
export function decoyRandom(region) { return steadyRandom(seedOf(region)); }

/** @param {string} region */
function seedOf(region) { return `${seed()} ${region}`; }

/**
 * The cells with decoys, if the user wants them.
 * @param {number[]} cells
 * @throws {import('../api.js').Refusal | import('../api.js').Outage} then nothing was requested for the region
 */
export async function hidden(cells) {
  if (!isHiding() || !cells.length) return cells;
  const { body } = await getUnnamed(GRID);
  const anchors = (body?.grid?.cells ?? []).map((/** @type {any} */ cell) => (
    { position: cellMiddle(cell, body.grid.zoom), count: cell.count }));
  return withDecoyCells(cells, anchors, DECOYS, seedOf(cells.join()));
}
