// @ts-check
// Layers for streets, if the instance has them, in the schema of each map.

import { byZoom, FONT } from './expressions.js';
import { STREET_SCHEMAS } from './street-schemas.js';

/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('./street-schemas.js').Part} Part */
/** @typedef {import('./street-schemas.js').StreetSchema} StreetSchema */
/** @typedef {(id: string, part: Part, rest: object) => object} Draw */

/**
 * @param {string} source @param {string | null | undefined} schema @param {Palette} palette @param {string} language
 * @returns {object[]}
 */
export function streetLayers(source, schema, palette, language) {
  const parts = STREET_SCHEMAS[schema ?? 'openmaptiles'] ?? STREET_SCHEMAS.openmaptiles;
  /** @type {Draw} */
  const draw = (id, { layer, filter }, rest) => ({
    id: `${source}-${id}`, source, 'source-layer': layer, ...(filter ? { filter } : {}), ...rest,
  });
  return [...surfaces(parts, draw, palette), ...roads(parts, draw, palette), ...names(parts, draw, palette, language)];
}

/** @param {StreetSchema} parts @param {Draw} draw @param {Palette} palette */
function surfaces(parts, draw, palette) {
  const fill = (/** @type {string} */ id, /** @type {Part[]} */ from, /** @type {object} */ paint, more = {}) => (
    from.map((part, index) => draw(`${id}-${index}`, part, { type: 'fill', paint, ...more })));
  return [
    ...fill('land', parts.land, { 'fill-color': palette.land }),
    ...fill('green', parts.green, { 'fill-color': palette.park, 'fill-opacity': 0.7 }),
    ...fill('water', parts.water, { 'fill-color': palette.water }),
    ...parts.waterways.map((part, index) => draw(`waterway-${index}`, part, {
      type: 'line', paint: { 'line-color': palette.river, 'line-width': byZoom(8, 0.6, 16, 4) },
    })),
    ...fill('building', parts.buildings, { 'fill-color': palette.building, 'fill-outline-color': palette.casing },
      { minzoom: 13 }),
  ];
}

/**
 * Roads by class: the first zoom, and the widths from that zoom on.
 * @type {['path' | 'minor' | 'major' | 'motorway', number, number[]][]}
 */
const WEIGHTS = [
  ['path', 14, [14, 0.6, 18, 4]],
  ['minor', 11, [11, 0.5, 14, 2, 18, 14]],
  ['major', 7, [7, 0.5, 12, 2.4, 18, 20]],
  ['motorway', 5, [5, 0.6, 12, 3, 18, 24]],
];

/** @param {StreetSchema} parts @param {Draw} draw @param {Palette} palette */
function roads(parts, draw, palette) {
  const layout = { 'line-cap': 'round', 'line-join': 'round' };
  const wider = (/** @type {number[]} */ widths) => widths.map((value, index) => (index % 2 ? value + 1.6 : value));
  return [
    ...WEIGHTS.slice(1).map(([id, minzoom, widths]) => draw(`${id}-casing`, parts.roads[id], {
      type: 'line', minzoom, layout, paint: { 'line-color': palette.casing, 'line-width': byZoom(...wider(widths)) },
    })),
    ...WEIGHTS.map(([id, minzoom, widths]) => draw(id, parts.roads[id], {
      type: 'line', minzoom, layout,
      paint: {
        'line-color': palette.street, 'line-width': byZoom(...widths),
        ...(id === 'path' ? { 'line-dasharray': [2, 1.5] } : {}),
      },
    })),
    draw('rail', parts.roads.rail, {
      type: 'line', minzoom: 10,
      paint: { 'line-color': palette.region, 'line-width': byZoom(10, 0.6, 16, 2), 'line-dasharray': [4, 2] },
    }),
  ];
}

/** @param {StreetSchema} parts @param {Draw} draw @param {Palette} palette @param {string} language */
function names(parts, draw, palette, language) {
  // The spellings of a localised name in the schemas; then the name on local signs.
  const name = [
    'coalesce', ...[`name:${language}`, `name_${language}`, 'name', 'name:latin'].map((key) => ['get', key]), '',
  ];
  const text = { 'text-font': [FONT], 'text-padding': 6 };
  const paint = { 'text-color': palette.quiet, 'text-halo-color': palette.halo, 'text-halo-width': 1.4 };
  return [
    draw('house', parts.houses, {
      type: 'symbol', minzoom: 17, paint,
      layout: {
        ...text, 'text-field': ['coalesce', ['get', parts.houses.number], ''], 'text-size': 10.5, 'text-padding': 2,
      },
    }),
    draw('road-name', parts.names, {
      type: 'symbol', minzoom: 12.5, paint,
      layout: { ...text, 'symbol-placement': 'line', 'text-field': name, 'text-size': byZoom(12, 10, 17, 13) },
    }),
    draw('quarter', parts.quarters, {
      type: 'symbol', minzoom: 12, maxzoom: 17, paint,
      layout: {
        ...text, 'text-field': name, 'text-size': byZoom(12, 11, 16, 13), 'text-letter-spacing': 0.06,
        'text-max-width': 8,
      },
    }),
  ];
}
