// @ts-check
// The grid of pieces: the tiles of Web Mercator of one zoom, identical for all clients. Pure.

import { RouteError } from './errors.js';

/** @typedef {import('../types').Box} Box */
/** @typedef {import('../types').Position} Position */
/** @typedef {{x: number, y: number}} Address */

/** About 9.8 km at the equator, 7.5 km at 40° north or south. */
export const ZOOM = 12;
/** The most pieces that are loaded at once. */
export const MOST_PIECES = 400;
const SIDE = 2 ** ZOOM;
const MAX_LATITUDE = 85.051129; // where Web Mercator ends
const radians = Math.PI / 180;
/** The margin around journeys: of the larger side of their box, and at least, in pieces. */
const MARGIN = 0.3;
const LEAST_MARGIN = 0.5;

/** @param {number} longitude */
const column = (longitude) => ((longitude + 180) / 360) * SIDE;

/** @param {number} latitude */
function row(latitude) {
  const sine = Math.sin(Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * radians);
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * SIDE;
}

/** @param {number} number */
const inGrid = (number) => Math.max(0, Math.min(SIDE - 1, Math.floor(number)));

/**
 * The piece at a position.
 * @param {Position} position
 * @returns {Address}
 */
export const pieceOf = ([longitude, latitude]) => ({ x: inGrid(column(longitude)), y: inGrid(row(latitude)) });

/**
 * @param {Address} address
 * @returns {Box}
 */
export function boxOfPiece({ x, y }) {
  const latitude = (/** @type {number} */ line) => Math.atan(Math.sinh(Math.PI * (1 - (2 * line) / SIDE))) / radians;
  return [(x / SIDE) * 360 - 180, latitude(y + 1), ((x + 1) / SIDE) * 360 - 180, latitude(y)];
}

/**
 * The pieces of a rectangle, from the north-west.
 * @param {number} left @param {number} top @param {number} right @param {number} bottom
 * @returns {Address[]}
 */
function rectangle(left, top, right, bottom) {
  const [width, height] = [Math.max(0, right - left + 1), Math.max(0, bottom - top + 1)];
  if (width * height > MOST_PIECES) throw new RouteError('too-far', `${width * height} pieces`);
  return Array.from({ length: width * height }, (_, index) => (
    { x: left + (index % width), y: top + Math.floor(index / width) }));
}

/**
 * Whole pieces around all positions. It depends only on the pieces of the positions, so journeys in the same pieces
 * fetch the same pieces and cannot be distinguished.
 * @param {Position[]} positions at least one
 * @param {Box} [bounds] of the streets; pieces outside are left out
 * @returns {Address[]}
 */
export function piecesAround(positions, bounds) {
  const addresses = positions.map(pieceOf);
  const xs = addresses.map(({ x }) => x);
  const ys = addresses.map(({ y }) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const margin = Math.ceil(Math.max(LEAST_MARGIN, MARGIN * Math.max(right - left, bottom - top)));
  const first = bounds ? pieceOf([bounds[0], bounds[3]]) : { x: 0, y: 0 };
  const last = bounds ? pieceOf([bounds[2], bounds[1]]) : { x: SIDE - 1, y: SIDE - 1 };
  return rectangle(
    Math.max(left - margin, first.x), Math.max(top - margin, first.y),
    Math.min(right + margin, last.x), Math.min(bottom + margin, last.y),
  );
}

/**
 * The pieces and the pieces of other boxes of the same size in the streets, in an order that does not reveal them.
 * @param {Address[]} pieces a rectangle
 * @param {Box} bounds of the streets
 * @param {number} count of other boxes
 * @param {() => number} [random] from 0 to 1, for tests
 * @returns {Address[]}
 */
export function withDecoys(pieces, bounds, count, random = Math.random) {
  const all = new Map(pieces.map((piece) => [`${piece.x}/${piece.y}`, piece]));
  const xs = pieces.map(({ x }) => x);
  const ys = pieces.map(({ y }) => y);
  const [width, height] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
  const first = pieceOf([bounds[0], bounds[3]]);
  const last = pieceOf([bounds[2], bounds[1]]);
  for (let box = 0; box < count; box += 1) {
    const left = first.x + Math.floor(random() * Math.max(1, last.x - width - first.x + 1));
    const top = first.y + Math.floor(random() * Math.max(1, last.y - height - first.y + 1));
    for (const piece of rectangle(left, top, Math.min(left + width, last.x), Math.min(top + height, last.y))) {
      all.set(`${piece.x}/${piece.y}`, piece);
    }
  }
  return [...all.values()].sort((one, other) => one.y - other.y || one.x - other.x);
}
