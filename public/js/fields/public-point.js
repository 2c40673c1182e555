// @ts-check
// Computes the public position with the same grid as Sources/PrivacyMap/Geography/Precision.swift,
// for previews before a device is sent. The result of the server is authoritative. Pure.

import { METRES_PER_DEGREE } from '../geography.js';

/** @typedef {import('../geography.js').Position} Position */
/** @typedef {import('../geography.js').Box} Box */
/** @typedef {'exact' | '100m' | '1km' | 'area'} Precision */

/**
 * Sides of the grid cells in metres.
 * @type {Record<string, number>}
 */
const CELLS = { '100m': 100, '1km': 1_000, area: 10_000 };

/** Precisions, the most exact first. */
export const PRECISIONS = /** @type {Precision[]} */ (['exact', '100m', '1km', 'area']);

/** @param {string} precision @returns {number | null} metres; null for the exact position */
export function cellSize(precision) {
  return CELLS[precision] ?? null;
}

/**
 * Rounds half away from zero, as Swift does.
 * @param {number} degrees
 */
function sevenDigits(degrees) {
  return (Math.sign(degrees) * Math.round(Math.abs(degrees) * 1e7)) / 1e7 || 0;
}

/**
 * Side of the smallest cell in metres, and the number of smallest cells along one side of the
 * largest.
 */
const SMALLEST = 100;
const IN_LARGEST = 100;
const ROWS = Math.ceil((180 * METRES_PER_DEGREE) / (SMALLEST * IN_LARGEST)) * IN_LARGEST;

/**
 * Centre and size in degrees of the cell that contains a position. Cells of every size consist of
 * whole smallest cells, so a coarser cell follows from a finer one.
 * @param {number} size metres
 * @param {Position} place
 */
function gridCell(size, place) {
  const [longitude, latitude] = place.map(sevenDigits);
  const side = size / SMALLEST;
  const rowHeight = 180 / ROWS;
  const row = Math.min(Math.floor((latitude + 90) / rowHeight), ROWS - 1);
  const south = -90 + Math.floor(row / IN_LARGEST) * IN_LARGEST * rowHeight;
  const narrowest = Math.max(Math.abs(south), Math.abs(south + IN_LARGEST * rowHeight));
  const circle = 360 * METRES_PER_DEGREE * Math.cos((narrowest * Math.PI) / 180);
  const columns = Math.max(1, Math.floor(circle / (SMALLEST * IN_LARGEST))) * IN_LARGEST;
  const columnWidth = 360 / columns;
  const column = Math.min(Math.floor((longitude + 180) / columnWidth), columns - 1);
  return {
    longitude: -180 + (Math.floor(column / side) * side + side / 2) * columnWidth,
    latitude: -90 + (Math.floor(row / side) * side + side / 2) * rowHeight,
    width: side * columnWidth,
    height: side * rowHeight,
  };
}

/**
 * The public position of a device at `place`.
 * @param {string} precision @param {Position} place @returns {Position}
 */
export function publicPoint(precision, place) {
  const size = cellSize(precision);
  const { longitude, latitude } = size ? gridCell(size, place) : { longitude: place[0], latitude: place[1] };
  return [sevenDigits(longitude), sevenDigits(latitude)];
}

/**
 * The cell that contains a position; null for an exact position. A cell never crosses the
 * antimeridian.
 * @param {string} precision @param {Position} place @returns {Box | null}
 */
export function publicCell(precision, place) {
  const size = cellSize(precision);
  if (!size) return null;
  const { longitude, latitude, width, height } = gridCell(size, place);
  return [longitude - width / 2, latitude - height / 2, longitude + width / 2, latitude + height / 2];
}

/**
 * Bounding box for records of the same device: the cell of a coarse position, or `metres` around an
 * exact one.
 * @param {string} precision
 * @param {Position} place
 * @param {number} [metres]
 * @returns {Box} west > east across the antimeridian
 */
export function likelyBox(precision, place, metres = 50) {
  const cell = publicCell(precision, place);
  if (cell) return cell;
  const [longitude, latitude] = publicPoint(precision, place);
  const up = metres / METRES_PER_DEGREE;
  const aside = Math.min(180, up / Math.max(1e-6, Math.cos((latitude * Math.PI) / 180)));
  const wrap = (/** @type {number} */ degrees) => (
    degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees);
  return [
    wrap(longitude - aside), Math.max(-90, latitude - up), wrap(longitude + aside), Math.min(90, latitude + up),
  ];
}
