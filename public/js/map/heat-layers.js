// @ts-check
// Layers for the cells of the heat map: below the devices, with their counts.

import { COUNT } from './device-layers.js';
import { BOLD } from './expressions.js';

/** @typedef {import('./palette.js').Palette} Palette */

export const HEAT = 'heat';
const CELLS = 'heat-cells';

/** @param {Palette} palette */
export function heatLayers(palette) {
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
