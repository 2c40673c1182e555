// @ts-check
// Lines at round coordinates where a close view of the map has no detail, so that it has reference points.

import { byZoom, FONT } from './expressions.js';

/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('../types').View} View */
/** @typedef {import('../types').Position} Position */
/** @typedef {import('../types').Feature} Feature */
/** @typedef {import('../types').FeatureCollection} FeatureCollection */

export const FIRST_ZOOM = 11.5;
const STEPS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
const MOST = 6; // lines across half of a window of about 1,500 pixels

/**
 * Meridians and parallels around a view; none at a low zoom. Pure.
 * @param {View} view
 * @returns {FeatureCollection}
 */
export function graticule({ longitude, latitude, zoom }) {
  /** @type {Feature[]} */
  const features = [];
  if (zoom >= FIRST_ZOOM - 0.5) {
    const degrees = (360 / (512 * 2 ** zoom)) * 1_000;
    const step = STEPS.find((candidate) => degrees / candidate <= MOST) ?? 0.5;
    const digits = step >= 0.1 ? 1 : step >= 0.01 ? 2 : step >= 0.001 ? 3 : 4;
    const count = Math.ceil(degrees / step) + 1;
    const middle = [Math.round(longitude / step), Math.round(latitude / step)];
    const far = step * count;
    for (let i = -count; i <= count; i += 1) {
      const x = (middle[0] + i) * step;
      const y = (middle[1] + i) * step;
      /** @type {(coordinates: Position[], value: number) => Feature} */
      const line = (coordinates, value) => ({
        type: 'Feature', properties: { name: `${value.toFixed(digits)}°` },
        geometry: { type: 'LineString', coordinates },
      });
      features.push(line([[x, latitude - far], [x, latitude + far]], x),
        line([[longitude - far, y], [longitude + far, y]], y));
    }
  }
  return { type: 'FeatureCollection', features };
}

/** @param {Palette} palette */
export function graticuleLayers(palette) {
  return [
    {
      id: 'graticule', type: 'line', source: 'graticule', minzoom: FIRST_ZOOM,
      paint: {
        'line-color': palette.region, 'line-width': 1, 'line-opacity': byZoom(FIRST_ZOOM, 0, FIRST_ZOOM + 1, 0.65),
      },
    },
    {
      id: 'graticule-name', type: 'symbol', source: 'graticule', minzoom: FIRST_ZOOM,
      layout: {
        'symbol-placement': 'line', 'symbol-spacing': 420, 'text-field': ['get', 'name'], 'text-font': [FONT],
        'text-size': 10.5, 'text-padding': 24,
      },
      paint: {
        'text-color': palette.quiet, 'text-halo-color': palette.halo, 'text-halo-width': 1.5,
        'text-opacity': byZoom(FIRST_ZOOM, 0, FIRST_ZOOM + 1, 0.9),
      },
    },
  ];
}
