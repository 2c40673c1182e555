// @ts-check
// Layers for ways: the quiet one, the shortest one, and their ends. They differ in dashes, not in colour only.

/** @typedef {import('./palette.js').Palette} Palette */

export const WAYS = 'ways';

/**
 * Source `ways` has features with `part` quiet, shortest, start or end.
 * @param {Palette} palette
 */
export function wayLayers(palette) {
  const part = (/** @type {string} */ name) => ['==', ['get', 'part'], name];
  const line = { type: 'line', source: WAYS, layout: { 'line-cap': 'round', 'line-join': 'round' } };
  return [
    {
      ...line, id: 'way-shortest', filter: part('shortest'),
      paint: { 'line-color': palette.disputed, 'line-width': 4, 'line-dasharray': [1, 1.6] },
    },
    {
      ...line, id: 'way-quiet-casing', filter: part('quiet'),
      paint: { 'line-color': palette.paper, 'line-width': 9, 'line-opacity': 0.9 },
    },
    { ...line, id: 'way-quiet', filter: part('quiet'), paint: { 'line-color': palette.sea, 'line-width': 5 } },
    {
      id: 'way-ends', type: 'circle', source: WAYS, filter: ['any', part('start'), part('end')],
      paint: {
        'circle-radius': 8, 'circle-color': ['case', part('start'), palette.paper, palette.sea],
        'circle-stroke-color': palette.sea, 'circle-stroke-width': 4,
      },
    },
  ];
}
