// @ts-check
// Layers of the heat map: squares with their counts, or a continuous density.

import { COUNT } from './device-layers.js';
import { BOLD } from './expressions.js';

/** @typedef {import('./palette.js').Palette} Palette */

export const HEAT = 'heat';
const CELLS = 'heat-cells';

/** @param {Palette} palette @param {import('./heat.js').HeatKind} kind */
export function heatLayers(palette, kind) {
  return kind === 'smooth' ? [smooth(palette)] : squares(palette);
}

/**
 * The colours of the smooth heat map, from no device to the densest part.
 * @param {string[]} colours
 */
export function ramp(colours) {
  return colours.flatMap((colour, place) => [(place + 0.5) / colours.length, colour]);
}

/** @param {Palette} palette */
function smooth({ heat }) {
  return {
    id: 'heat-smooth', type: 'heatmap', source: HEAT,
    paint: {
      'heatmap-weight': ['get', 'weight'], 'heatmap-radius': 34, 'heatmap-intensity': 1.15, 'heatmap-opacity': 0.85,
      'heatmap-color': ['interpolate', ['linear'], ['heatmap-density'], 0, `${heat[0]}00`, ...ramp(heat)],
    },
  };
}

/** @param {Palette} palette */
function squares(palette) {
  const colour = [
    'match', ['get', 'colour'], ...palette.heat.slice(0, -1).flatMap((one, place) => [place, one]), palette.heat.at(-1),
  ];
  return [
    {
      id: CELLS, type: 'fill', source: HEAT,
      paint: { 'fill-color': colour, 'fill-opacity': 0.78, 'fill-outline-color': palette.paper },
    },
    {
      id: 'heat-counts', type: 'symbol', source: HEAT,
      layout: {
        'text-field': COUNT, 'text-font': [BOLD], 'text-size': 12, 'text-allow-overlap': false, 'text-padding': 4,
      },
      paint: { 'text-color': palette.ink, 'text-halo-color': palette.paper, 'text-halo-width': 1.6 },
    },
  ];
}
