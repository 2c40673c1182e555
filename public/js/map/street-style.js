// @ts-check
// Streets, where the instance has them: vector tiles in the OpenMapTiles layers.

import { byZoom, FONT } from './expressions.js';

/** @typedef {import('./palette.js').Palette} Palette */

/**
 * @param {string} source @param {Palette} palette
 */
export function streetLayers(source, palette) {
  const from = (/** @type {string} */ layer) => ({ source, 'source-layer': layer });
  return [...surfaces(from, palette), ...streets(from, palette), ...names(from, palette)]
    .map((layer) => ({ ...layer, id: `${source}-${layer.id}` }));
}

/** @param {(layer: string) => object} from @param {Palette} palette @returns {any[]} */
function surfaces(from, palette) {
  const green = ['match', ['get', 'class'], ['wood', 'grass', 'park', 'forest', 'cemetery', 'pitch', 'garden'], true, false];
  return [
    { id: 'landcover', type: 'fill', ...from('landcover'), filter: green, paint: { 'fill-color': palette.park, 'fill-opacity': 0.7 } },
    { id: 'landuse', type: 'fill', ...from('landuse'), filter: green, paint: { 'fill-color': palette.park, 'fill-opacity': 0.7 } },
    { id: 'park', type: 'fill', ...from('park'), paint: { 'fill-color': palette.park, 'fill-opacity': 0.6 } },
    { id: 'water', type: 'fill', ...from('water'), paint: { 'fill-color': palette.water } },
    { id: 'waterway', type: 'line', ...from('waterway'), paint: { 'line-color': palette.river, 'line-width': byZoom(8, 0.6, 16, 4) } },
    {
      id: 'building', type: 'fill', ...from('building'), minzoom: 13,
      paint: { 'fill-color': palette.building, 'fill-outline-color': palette.casing },
    },
  ];
}

/** @param {string[]} classes */
const of = (...classes) => ['match', ['get', 'class'], classes, true, false];

/**
 * Streets by weight: classes, first zoom, and width from there on.
 * @type {[string, string[], number, number[]][]}
 */
const WEIGHTS = [
  ['path', ['path', 'track', 'pedestrian'], 14, [14, 0.6, 18, 4]],
  ['minor', ['minor', 'service', 'residential', 'unclassified', 'tertiary'], 11, [11, 0.5, 14, 2, 18, 14]],
  ['major', ['secondary', 'primary', 'trunk'], 7, [7, 0.5, 12, 2.4, 18, 20]],
  ['motorway', ['motorway'], 5, [5, 0.6, 12, 3, 18, 24]],
];

/** @param {(layer: string) => object} from @param {Palette} palette @returns {any[]} */
function streets(from, palette) {
  const layout = { 'line-cap': 'round', 'line-join': 'round' };
  const wider = (/** @type {number[]} */ widths) => widths.map((value, index) => (index % 2 ? value + 1.6 : value));
  return [
    ...WEIGHTS.slice(1).map(([id, classes, minzoom, widths]) => ({
      id: `${id}-casing`, type: 'line', ...from('transportation'), minzoom, filter: of(...classes), layout,
      paint: { 'line-color': palette.casing, 'line-width': byZoom(...wider(widths)) },
    })),
    ...WEIGHTS.map(([id, classes, minzoom, widths]) => ({
      id, type: 'line', ...from('transportation'), minzoom, filter: of(...classes), layout,
      paint: {
        'line-color': palette.street, 'line-width': byZoom(...widths),
        ...(id === 'path' ? { 'line-dasharray': [2, 1.5] } : {}),
      },
    })),
    {
      id: 'rail', type: 'line', ...from('transportation'), minzoom: 10, filter: of('rail', 'transit'),
      paint: { 'line-color': palette.region, 'line-width': byZoom(10, 0.6, 16, 2), 'line-dasharray': [4, 2] },
    },
  ];
}

/** @param {(layer: string) => object} from @param {Palette} palette @returns {any[]} */
function names(from, palette) {
  return [{
    id: 'street-name', type: 'symbol', ...from('transportation_name'), minzoom: 12.5,
    layout: {
      'symbol-placement': 'line', 'text-field': ['coalesce', ['get', 'name'], ['get', 'name:latin'], ''],
      'text-font': [FONT], 'text-size': byZoom(12, 10, 17, 13), 'text-padding': 6,
    },
    paint: { 'text-color': palette.quiet, 'text-halo-color': palette.halo, 'text-halo-width': 1.4 },
  }];
}
