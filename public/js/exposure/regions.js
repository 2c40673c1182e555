// @ts-check
// The regions whose devices the browser reads: whole cells of a fixed grid (local-watches/grid.js) around a way, so
// that the requests are the same for every way in the region. Pure.

import { middleOf, wrapLongitude } from '../geography.js';
import { boxOfCell, cellOf, cellsAround, neighbours } from '../local-watches/grid.js';

/** @typedef {import('../types').Box} Box */
/** @typedef {import('../types').Position} Position */

/** Cells that one import or one route may need. */
export const MOST_CELLS = 1_500;
const PROPERTIES = 'bearings,field_of_view,setting,stale_on';
export const PAGE = 10_000; // devices of a request

/**
 * The address of the devices of a cell: the same for all clients.
 * @param {number} cell
 */
export function cellPath(cell) {
  return `/api/collections/devices/items?bbox=${boxOfCell(cell).join(',')}&limit=${PAGE}&properties=${PROPERTIES}`;
}

/**
 * The cells around some boxes: a block around the middle of each box. The block of a small box depends only on the cell
 * of its middle. For a box that is too large for a block the caller has to give places of it.
 * @param {readonly Box[]} boxes
 * @returns {number[] | null} in order; null if there would be too many
 */
export function cellsOfBoxes(boxes) {
  /** @type {Set<number>} */
  const cells = new Set();
  for (const box of boxes) {
    const block = cellsAround({ type: 'box', box });
    if (!block) return null;
    for (const cell of block) cells.add(cell);
  }
  return bounded(cells);
}

/**
 * The cells around recorded ways. A way within a block of cells needs that block; a longer one the cells that it
 * touches, and those around them.
 * @param {Iterable<Iterable<Position>>} ways
 * @returns {number[] | null} in order; null if there would be too many
 */
export function cellsOfWays(ways) {
  /** @type {Set<number>} */
  const cells = new Set();
  for (const way of ways) {
    const touched = new Set();
    const box = new GrowingBox();
    for (const position of way) {
      touched.add(cellOf(position));
      box.add(position);
    }
    if (!touched.size) continue;
    const block = touched.size < 40 ? cellsAround({ type: 'box', box: box.box }) : null;
    for (const cell of block ?? [...touched].flatMap((one) => [one, ...neighbours(one)])) cells.add(cell);
    if (cells.size > MOST_CELLS) return null;
  }
  return bounded(cells);
}

/** @param {Set<number>} cells */
function bounded(cells) { return cells.size > MOST_CELLS ? null : [...cells].sort((a, b) => a - b); }

/** The box around places that follow each other, across the antimeridian as well. */
export class GrowingBox {
  constructor() {
    /** @type {number | null} */
    this.last = null;
    this.west = Infinity;
    this.east = -Infinity;
    this.south = Infinity;
    this.north = -Infinity;
  }

  /** @param {Position} position */
  add([longitude, latitude]) {
    const x = this.last === null ? longitude : this.last + wrapLongitude(longitude - this.last);
    this.last = x;
    [this.west, this.east] = [Math.min(this.west, x), Math.max(this.east, x)];
    [this.south, this.north] = [Math.min(this.south, latitude), Math.max(this.north, latitude)];
  }

  /** @returns {Box} */
  get box() {
    if (this.east - this.west >= 360) return [-180, this.south, 180, this.north];
    return [wrapLongitude(this.west), this.south, wrapLongitude(this.east), this.north];
  }
}

/**
 * Blocks of cells of the same shape in other places («hide my area»). Real devices are in these places, so that a
 * decoy is as likely as a real region. The same seed gives the same decoys at each visit, also when devices were added
 * elsewhere: decoys that change would reveal the region that stays.
 * @param {readonly number[]} cells the real ones
 * @param {readonly {position: Position, count: number}[]} anchors
 * @param {number} count of decoys @param {string} seed
 * @returns {number[]} all cells, real and not, in order
 */
export function withDecoyCells(cells, anchors, count, seed) {
  const all = new Set(cells);
  const places = cells.map((cell) => middleOf(boxOfCell(cell)));
  const [first] = places;
  let made = 0;
  for (const { position } of first ? inDrawnOrder(anchors, seed) : []) {
    const [dx, dy] = [position[0] - first[0], position[1] - first[1]];
    const moved = places.map(([x, y]) => /** @type {Position} */ ([wrapLongitude(x + dx), y + dy]));
    const decoy = moved.some(([, y]) => Math.abs(y) > 85) ? [] : moved.map(cellOf);
    if (!decoy.length || decoy.some((cell) => all.has(cell))) continue;
    for (const cell of decoy) all.add(cell);
    made += 1;
    if (made === count) break;
  }
  return [...all].sort((a, b) => a - b);
}

/**
 * Anchors in an order drawn by their counts (weighted rendezvous hashing).
 * @param {readonly {position: Position, count: number}[]} anchors @param {string} seed
 */
function inDrawnOrder(anchors, seed) {
  return anchors.map((anchor) => ({
    ...anchor, score: -anchor.count / Math.log(steadyRandom(`${seed} ${anchor.position.join()}`)() || 0.5),
  })).sort((a, b) => b.score - a.score);
}

/**
 * Random numbers that are the same each time for the same seed.
 * @param {string} seed
 * @returns {() => number} from 0 to below 1 (mulberry32)
 */
export function steadyRandom(seed) {
  let state = 2_166_136_261;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
