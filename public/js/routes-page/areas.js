// @ts-check
// The cells of devices that belong to pieces of streets. Pure.

import { cellsOfBoxes } from '../exposure/regions.js';
import { joinedBox } from '../map/clusters.js';
import { boxOfPiece } from '../routes/grid.js';

/** @typedef {import('../routes/grid.js').Address} Address */

/**
 * The cells around each group of pieces that touch each other. The requests depend on the pieces alone, the pieces
 * of decoys included.
 * @param {Address[]} pieces @returns {number[] | null} null if there would be too many
 */
export function cellsOfPieces(pieces) { return cellsOfBoxes(groups(pieces).map(boxOf)); }

/**
 * Pieces that touch each other: each group is one region.
 * @param {Address[]} pieces @returns {Address[][]}
 */
function groups(pieces) {
  const left = new Map(pieces.map((piece) => [`${piece.x}/${piece.y}`, piece]));
  /** @type {Address[][]} */
  const found = [];
  for (const [key, piece] of left) {
    left.delete(key);
    const group = [piece];
    for (const { x, y } of group) {
      for (const [dx, dy] of [[-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [1, 1], [-1, 1], [1, -1]]) {
        const near = left.get(`${x + dx}/${y + dy}`);
        if (!near) continue;
        left.delete(`${x + dx}/${y + dy}`);
        group.push(near);
      }
    }
    found.push(group);
  }
  return found;
}

/** @param {Address[]} pieces */
function boxOf(pieces) { return pieces.map(boxOfPiece).reduce(joinedBox); }
