// @ts-check
// What others see of a place: the grid of Sources/PrivacyMap/Geography/Precision.swift, for pictures
// before a device is sent. The server's own answer is the one that counts. Pure.

/** @typedef {import('../geography.js').Position} Position */
/** @typedef {import('../geography.js').Box} Box */
/** @typedef {'exact' | '100m' | '1km' | 'area'} Precision */

const METRES_PER_DEGREE = (6_371_008.8 * Math.PI) / 180; // mean radius (IUGG)

/**
 * Sides of the grid's cells, in metres.
 * @type {Record<string, number>}
 */
const CELLS = { '100m': 100, '1km': 1_000, area: 10_000 };

/** Precisions, the closest first. */
export const PRECISIONS = /** @type {Precision[]} */ (['exact', '100m', '1km', 'area']);

/**
 * @param {string} precision
 * @returns {number | null} metres; null where the point itself is seen
 */
export function cellSize(precision) {
  return CELLS[precision] ?? null;
}

/**
 * Halves away from zero, as Swift rounds.
 * @param {number} degrees
 */
function sevenDigits(degrees) {
  return (Math.sign(degrees) * Math.round(Math.abs(degrees) * 1e7)) / 1e7 || 0;
}

/**
 * The row and column of a place, and the size of its cell in degrees.
 * @param {number} size metres @param {Position} place
 */
function gridCell(size, [longitude, latitude]) {
  const rows = Math.ceil((180 * METRES_PER_DEGREE) / size);
  const height = 180 / rows;
  const row = Math.min(Math.floor((latitude + 90) / height), rows - 1);
  const middle = -90 + (row + 0.5) * height;
  const circle = 360 * METRES_PER_DEGREE * Math.cos((middle * Math.PI) / 180);
  const columns = Math.max(1, Math.floor(circle / size));
  const width = 360 / columns;
  const column = Math.min(Math.floor((longitude + 180) / width), columns - 1);
  return { longitude: -180 + (column + 0.5) * width, latitude: middle, width, height };
}

/**
 * The one point that everybody sees of a device that stands at `place`.
 * @param {string} precision @param {Position} place
 * @returns {Position}
 */
export function publicPoint(precision, place) {
  const size = cellSize(precision);
  const { longitude, latitude } = size ? gridCell(size, place) : { longitude: place[0], latitude: place[1] };
  return [sevenDigits(longitude), sevenDigits(latitude)];
}

/**
 * The cell that a place lies in; nothing for an exact one. A cell never crosses the antimeridian.
 * @param {string} precision @param {Position} place
 * @returns {Box | null}
 */
export function publicCell(precision, place) {
  const size = cellSize(precision);
  if (!size) return null;
  const { longitude, latitude, width, height } = gridCell(size, place);
  return [longitude - width / 2, latitude - height / 2, longitude + width / 2, latitude + height / 2];
}

/**
 * Where a record of the same thing would be: the cell of a coarse place, `metres` around an exact one.
 * @param {string} precision @param {Position} place @param {number} [metres]
 * @returns {Box} west > east across the antimeridian
 */
export function likelyBox(precision, place, metres = 50) {
  const cell = publicCell(precision, place);
  if (cell) return cell;
  const [longitude, latitude] = publicPoint(precision, place);
  const up = metres / METRES_PER_DEGREE;
  const aside = Math.min(180, up / Math.max(1e-6, Math.cos((latitude * Math.PI) / 180)));
  const wrap = (/** @type {number} */ degrees) => (degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees);
  return [
    wrap(longitude - aside), Math.max(-90, latitude - up), wrap(longitude + aside), Math.min(90, latitude + up),
  ];
}
