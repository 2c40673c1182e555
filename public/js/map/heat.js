// @ts-check
// The cells of the heat map: grid of a view, colours and description in words. Pure functions.

import { wrapLongitude } from '../geography.js';

/** @typedef {{x: number, y: number, count: number}} Cell a tile of Web Mercator, counted from the west and the north */
/** @typedef {{zoom: number, coarser: number, cells: Cell[]}} Grid */

/** At a higher zoom a cell would be smaller than the precision of many places. */
const FINEST = 17;
/**
 * `squares`: cells with their counts. `smooth`: a continuous picture of the density.
 * @typedef {'squares' | 'smooth'} HeatKind
 */

/** Zoom levels between map and cells. A square is 32 to 64 pixels wide, a cell of the smooth map 16 to 32. */
const FINER = { squares: 4, smooth: 5 };

/** The maximum number of colours. */
export const COLOURS = 5;

/**
 * The zoom of the cells for a zoom of the map.
 * @param {number} zoom @param {HeatKind} [kind] @returns {number}
 */
export function gridZoom(zoom, kind = 'squares') {
  return Math.max(0, Math.min(FINEST, Math.floor(zoom) + FINER[kind]));
}

/**
 * The count at which each colour begins: round numbers, each a multiple of the one before.
 * @param {number} most the highest count of a cell
 * @returns {number[]} the first is 1; none is above `most`
 */
export function heatSteps(most) {
  const steps = [1];
  for (let place = 1; place < COLOURS; place += 1) {
    const step = rounded(most ** (place / COLOURS));
    if (step > (steps.at(-1) ?? 0) && step <= most) steps.push(step);
  }
  return steps;
}

/**
 * The nearest of 1, 2, 5, 10, 20, 50 …
 * @param {number} number @returns {number}
 */
function rounded(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  const leading = number / power;
  return Math.round((leading < 1.5 ? 1 : leading < 3.5 ? 2 : leading < 7.5 ? 5 : 10) * power);
}

/**
 * The index of the colour of a count.
 * @param {number} count @param {number[]} steps @returns {number}
 */
export function heatColour(count, steps) {
  return steps.filter((step) => count >= step).length - 1;
}

/** @param {number} x @param {number} zoom */
const longitude = (x, zoom) => (x / 2 ** zoom) * 360 - 180;
/** @param {number} y @param {number} zoom */
const latitude = (y, zoom) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** zoom))) * 180) / Math.PI;

/**
 * The centre of a cell.
 * @param {{x: number, y: number}} cell @param {number} zoom
 * @returns {import('../geography.js').Position}
 */
export function cellMiddle({ x, y }, zoom) {
  return [longitude(x + 0.5, zoom), latitude(y + 0.5, zoom)];
}

/**
 * The cells as GeoJSON features, each with its count and its colour.
 * @param {Grid} grid @param {number[]} steps
 * @returns {import('../types').FeatureCollection}
 */
export function heatFeatures({ zoom, cells }, steps) {
  return {
    type: 'FeatureCollection',
    features: cells.map(({ x, y, count }) => {
      const [west, south, east, north] = cellBox({ x, y }, zoom);
      return {
        type: 'Feature', properties: { count, colour: heatColour(count, steps) },
        geometry: {
          type: 'Polygon', coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]],
        },
      };
    }),
  };
}

/** The weight of a cell with one device: visible even next to a cell with a million. */
const FAINTEST = 0.16;

/**
 * The middles of the cells as weighted points, for the smooth heat map. Weights grow with the logarithm of the count,
 * because a few cells have most of the devices.
 * @param {Grid} grid
 * @returns {import('../types').FeatureCollection}
 */
export function heatPoints({ zoom, cells }) {
  const most = Math.log(1 + (densest(cells)?.count ?? 1));
  return {
    type: 'FeatureCollection',
    features: cells.map(({ x, y, count }) => ({
      type: 'Feature',
      properties: { count, weight: FAINTEST + (1 - FAINTEST) * (Math.log(1 + count) / most) ** 2 },
      geometry: { type: 'Point', coordinates: cellMiddle({ x, y }, zoom) },
    })),
  };
}

/**
 * The bounding box of a cell.
 * @param {{x: number, y: number}} cell @param {number} zoom
 * @returns {import('../geography.js').Box}
 */
export function cellBox({ x, y }, zoom) {
  return [longitude(x, zoom), latitude(y + 1, zoom), longitude(x + 1, zoom), latitude(y, zoom)];
}

/**
 * The cell at a position; null if it contains no device.
 * @param {Grid} grid @param {import('../geography.js').Position} position
 * @returns {Cell | null}
 */
export function cellAt({ zoom, cells }, [east, north]) {
  const tiles = 2 ** zoom;
  const x = Math.floor(((wrapLongitude(east) + 180) / 360) * tiles);
  const y = Math.floor(((1 - Math.asinh(Math.tan((north * Math.PI) / 180)) / Math.PI) / 2) * tiles);
  return cells.find((cell) => cell.x === x && cell.y === y) ?? null;
}

/**
 * The cell with the most devices; null without cells.
 * @param {Cell[]} cells @returns {Cell | null}
 */
export function densest(cells) {
  return cells.reduce((/** @type {Cell | null} */ best, cell) => (best && best.count >= cell.count ? best : cell),
    null);
}
