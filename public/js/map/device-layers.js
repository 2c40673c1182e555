// @ts-check
// Layers for devices from the server’s tiles, for the clusters of clusters.js, and for the selected device.

import { BOLD, byZoom } from './expressions.js';

/** @typedef {import('./palette.js').Palette} Palette */

export const CLUSTERS = 'clusters';
export const DEVICES = 'devices';
export const CHOSEN = 'chosen';

/** A count of at most four characters: «999», «1.2k», «12k», «1.2M». */
export const COUNT = ['let', 'n', ['get', 'count'], ['step', ['var', 'n'],
  ['to-string', ['var', 'n']],
  1_000, ['concat', ['to-string', ['/', ['round', ['/', ['var', 'n'], 100]], 10]], 'k'],
  9_950, ['concat', ['to-string', ['round', ['/', ['var', 'n'], 1_000]]], 'k'],
  999_500, ['concat', ['to-string', ['/', ['round', ['/', ['var', 'n'], 100_000]], 10]], 'M']]];

/**
 * Devices below clusters, so that every count is readable.
 * @param {Palette} palette @param {'light' | 'dark'} theme selects the images
 */
export function deviceLayers(palette, theme) {
  return [wedges(theme), devices(theme), clusters(palette, theme)];
}

/** @param {'light' | 'dark'} theme */
function wedges(theme) {
  return {
    id: 'bearings', type: 'symbol', source: 'devices', 'source-layer': 'devices', minzoom: 12,
    filter: ['has', 'bearing'],
    layout: {
      'icon-image': `wedge/${theme}`, 'icon-rotate': ['get', 'bearing'], 'icon-rotation-alignment': 'map',
      'icon-allow-overlap': true, 'icon-ignore-placement': true, 'icon-size': byZoom(12, 0.55, 17, 1),
    },
  };
}

/** @param {Palette} palette @param {'light' | 'dark'} theme */
function clusters(palette, theme) {
  return {
    id: CLUSTERS, type: 'symbol', source: CLUSTERS,
    layout: {
      'icon-image': ['concat', `cluster/${theme}/`, ['get', 'look']], 'icon-allow-overlap': true,
      'text-field': COUNT, 'text-font': [BOLD], 'text-size': ['step', ['get', 'count'], 12, 2_000, 13, 20_000, 14],
      'text-allow-overlap': true, 'text-ignore-placement': true, 'text-offset': [0, 0.62],
      'symbol-sort-key': ['get', 'count'],
    },
    paint: { 'text-color': palette.ink },
  };
}

/** @param {'light' | 'dark'} theme */
function devices(theme) {
  return {
    id: DEVICES, type: 'symbol', source: 'devices', 'source-layer': 'devices',
    layout: {
      'icon-image': ['concat', `device/${theme}/`, ['get', 'category'], '/', ['get', 'status']],
      'icon-allow-overlap': true, 'icon-size': byZoom(0, 0.7, 10, 0.9, 14, 1),
      'symbol-sort-key': ['match', ['get', 'status'], 'confirmed', 2, 'disputed', 1, 0],
    },
  };
}

/**
 * The place of the selected device, its uncertainty and the field of view. Source `chosen` contains features
 * with `part` ground, sight or point.
 * @param {Palette} palette @param {'light' | 'dark'} theme
 */
export function chosenLayers(palette, theme) {
  const part = (/** @type {string} */ name) => ['==', ['get', 'part'], name];
  return [
    {
      id: 'chosen-ground', type: 'fill', source: CHOSEN, filter: part('ground'),
      paint: { 'fill-color': palette.beam, 'fill-opacity': theme === 'dark' ? 0.16 : 0.22 },
    },
    {
      id: 'chosen-edge', type: 'line', source: CHOSEN, filter: part('ground'),
      paint: { 'line-color': palette.ink, 'line-opacity': 0.7, 'line-width': 1.5, 'line-dasharray': [3, 2] },
    },
    {
      id: 'chosen-sight', type: 'fill', source: CHOSEN, filter: part('sight'),
      paint: { 'fill-color': palette.beam, 'fill-opacity': 0.35 },
    },
    {
      id: 'chosen-ring', type: 'circle', source: CHOSEN, filter: part('point'),
      paint: {
        'circle-radius': 21, 'circle-color': palette.paper, 'circle-opacity': 0.9,
        'circle-stroke-color': palette.beam, 'circle-stroke-width': 5,
      },
    },
    {
      id: 'chosen-point', type: 'symbol', source: CHOSEN, filter: part('point'),
      layout: {
        'icon-image': ['concat', `device/${theme}/`, ['get', 'category'], '/', ['get', 'status']],
        'icon-allow-overlap': true, 'icon-ignore-placement': true,
      },
    },
    {
      id: 'here', type: 'circle', source: 'here',
      paint: {
        'circle-radius': 8, 'circle-color': palette.sea, 'circle-stroke-color': palette.paper, 'circle-stroke-width': 3,
      },
    },
  ];
}
