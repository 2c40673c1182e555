// @ts-check
// Layers for a device that the user is describing: its place, its field of view and its public area.

/** @typedef {import('./palette.js').Palette} Palette */

export const DRAFT = 'draft';

/**
 * Source `draft` contains features with `part` cell, sight, seen or point.
 * @param {Palette} palette @param {'light' | 'dark'} theme
 */
export function draftLayers(palette, theme) {
  const part = (/** @type {string} */ name) => ['==', ['get', 'part'], name];
  return [
    {
      id: 'draft-cell', type: 'fill', source: DRAFT, filter: part('cell'),
      paint: { 'fill-color': palette.beam, 'fill-opacity': theme === 'dark' ? 0.2 : 0.3 },
    },
    {
      id: 'draft-edge', type: 'line', source: DRAFT, filter: part('cell'),
      paint: { 'line-color': palette.ink, 'line-width': 1.5, 'line-dasharray': [3, 2] },
    },
    {
      id: 'draft-sight', type: 'fill', source: DRAFT, filter: part('sight'),
      paint: { 'fill-color': palette.beam, 'fill-opacity': 0.5 },
    },
    {
      id: 'draft-sight-edge', type: 'line', source: DRAFT, filter: part('sight'),
      paint: { 'line-color': palette.ink, 'line-width': 1, 'line-opacity': 0.6 },
    },
    {
      id: 'draft-point', type: 'circle', source: DRAFT, filter: part('point'),
      paint: {
        'circle-radius': ['case', ['get', 'hidden'], 7, 19], 'circle-color': palette.paper,
        'circle-opacity': ['case', ['get', 'hidden'], 0, 1],
        'circle-stroke-color': ['case', ['get', 'hidden'], palette.disputed, palette.beam],
        'circle-stroke-width': ['case', ['get', 'hidden'], 3, 5],
      },
    },
    {
      id: 'draft-seen', type: 'circle', source: DRAFT, filter: part('seen'),
      paint: {
        'circle-radius': 19, 'circle-color': palette.paper, 'circle-stroke-color': palette.beam,
        'circle-stroke-width': 5,
      },
    },
    {
      id: 'draft-symbol', type: 'symbol', source: DRAFT,
      filter: ['any', part('seen'), ['all', part('point'), ['!', ['get', 'hidden']]]],
      layout: {
        'icon-image': ['concat', `device/${theme}/`, ['get', 'category'], '/reported'], 'icon-allow-overlap': true,
        'icon-ignore-placement': true,
      },
    },
  ];
}
