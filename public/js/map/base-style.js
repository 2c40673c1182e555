// @ts-check
// The base map: coast, lakes, rivers, borders and places, drawn from this server’s tiles.

import { BOLD, byZoom, FONT } from './expressions.js';
import { streetSource } from './street-maps.js';
import { streetLayers } from './street-style.js';

/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('../page/start.js').Settings} Settings */

/** Layers of the base map that give a view reference points. */
export const DETAILS = Object.freeze([
  'coast', 'lake', 'river', 'region', 'border', 'border-disputed', 'place-town', 'place-city',
]);

const QUARTERS_FROM = 14; // zoom from which the names of quarters replace that of their city

/** @param {string} path */
function absolute(path) {
  return path.includes('://') ? path : location.origin + path;
}

/** @param {Settings} settings @param {number[]} streets indices of the street maps to draw */
export function baseSources(settings, streets) {
  /** @type {Record<string, object>} */
  const sources = {
    base: { type: 'vector', tiles: [absolute(settings.base_map.tiles)], maxzoom: settings.base_map.max_zoom },
  };
  settings.streets.forEach(({ tiles, min_zoom: minzoom, max_zoom: maxzoom, bounds, format }, index) => {
    if (!streets.includes(index)) return;
    sources[streetSource(index)] = {
      ...(format === 'raster' ? { type: 'raster', tileSize: 256 } : { type: 'vector' }),
      tiles: [absolute(tiles)], minzoom, maxzoom, ...(bounds ? { bounds } : {}),
    };
  });
  if (settings.tile_url) {
    sources.outside = settings.tile_url.type === 'vector'
      ? { type: 'vector', tiles: [settings.tile_url.url], maxzoom: 14 }
      : { type: 'raster', tiles: [settings.tile_url.url], tileSize: 256, maxzoom: 19 };
  }
  return sources;
}

/**
 * The street maps to draw, and a map from another server.
 * @param {Settings} settings @param {number[]} streets
 */
function streetMaps(settings, streets) {
  const maps = settings.streets.flatMap(({ format, schema }, index) => (streets.includes(index)
    ? [{ source: streetSource(index), isPicture: format === 'raster', schema }] : []));
  if (settings.tile_url) maps.push({ source: 'outside', isPicture: settings.tile_url.type === 'raster', schema: null });
  return maps;
}

/**
 * The bottom layers: ground, streets and borders.
 * @param {Settings} settings @param {number[]} streets indices of the street maps to draw
 * @param {Palette} palette @param {string} language
 */
export function baseLayers(settings, streets, palette, language) {
  const maps = streetMaps(settings, streets);
  return [
    { id: 'water', type: 'background', paint: { 'background-color': palette.water } },
    ...ground(palette),
    ...maps.filter(({ isPicture }) => isPicture)
      .map(({ source }) => ({ id: `picture-${source}`, type: 'raster', source })),
    ...maps.filter(({ isPicture }) => !isPicture)
      .flatMap(({ source, schema }) => streetLayers(source, schema, palette, language)),
    ...borders(palette),
  ];
}

/**
 * The names of places, above the heat map and further collections. Pictures contain names already.
 * @param {Settings} settings @param {number[]} streets indices of the street maps to draw
 * @param {Palette} palette @param {string} language
 */
export function placeLayers(settings, streets, palette, language) {
  const maps = streetMaps(settings, streets);
  return maps.some(({ isPicture }) => isPicture) ? [] : places(palette, language, maps.length > 0);
}

/** @param {Palette} palette */
function ground(palette) {
  const from = (/** @type {string} */ layer) => ({ source: 'base', 'source-layer': layer });
  return [
    {
      id: 'shallow', type: 'line', ...from('land'),
      paint: {
        'line-color': palette.shallow, 'line-width': byZoom(0, 3, 6, 9, 10, 18), 'line-blur': byZoom(0, 2, 10, 9),
      },
    },
    { id: 'land', type: 'fill', ...from('land'), paint: { 'fill-color': palette.land, 'fill-antialias': true } },
    {
      id: 'coast', type: 'line', ...from('land'),
      paint: { 'line-color': palette.coast, 'line-width': byZoom(0, 0.3, 6, 0.7, 12, 1.2) },
    },
    { id: 'lake', type: 'fill', ...from('lake'), paint: { 'fill-color': palette.water } },
    { id: 'lake-island', type: 'fill', ...from('lake_island'), paint: { 'fill-color': palette.land } },
    {
      id: 'river', type: 'line', ...from('river'), layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': palette.river, 'line-width': byZoom(3, 0.5, 9, 1.6, 14, 3) },
    },
  ];
}

/** @param {Palette} palette */
function borders(palette) {
  const source = { source: 'base', 'source-layer': 'boundary' };
  const width = byZoom(0, 0.4, 5, 1, 10, 1.8);
  return [
    {
      id: 'region', type: 'line', source: 'base', 'source-layer': 'boundary_region', minzoom: 3.5,
      paint: { 'line-color': palette.region, 'line-width': byZoom(3, 0.4, 9, 1), 'line-dasharray': [4, 2] },
    },
    {
      id: 'border', type: 'line', ...source, filter: ['!=', ['get', 'disputed'], 1],
      layout: { 'line-join': 'round' }, paint: { 'line-color': palette.border, 'line-width': width },
    },
    {
      id: 'border-disputed', type: 'line', ...source, filter: ['==', ['get', 'disputed'], 1],
      paint: { 'line-color': palette.border, 'line-width': width, 'line-dasharray': [2, 2] },
    },
  ];
}

/** @param {Palette} palette @param {string} language @param {boolean} hasStreets whether streets are drawn */
function places(palette, language, hasStreets) {
  const name = language === 'pt' ? ['coalesce', ['get', 'name_pt'], ['get', 'name']] : ['get', 'name'];
  const source = { source: 'base', 'source-layer': 'place' };
  const halo = { 'text-halo-color': palette.halo, 'text-halo-width': 1.4, 'text-halo-blur': 0.4 };
  // The rank up to which a place counts as large depends on the zoom.
  const upTo = (/** @type {number} */ rank) => ['<=', ['get', 'rank'], rank];
  const isLarge = ['step', ['zoom'], upTo(2), 5, upTo(3), 7.5, upTo(4), 10, upTo(5)];
  // Two layers, because colours that depend on data are computed when a tile is loaded: a dark map that is printed in
  // the colours of paper would keep them.
  const cities = (
    /** @type {string} */ id, /** @type {unknown} */ which, /** @type {string} */ font,
    /** @type {unknown} */ size, /** @type {string} */ color,
  ) => ({
    id, type: 'symbol', ...source, filter: ['all', ['==', ['get', 'kind'], 'city'], which],
    layout: {
      'text-field': name, 'text-font': [font], 'text-size': size,
      'symbol-sort-key': ['get', 'rank'], 'text-padding': 4, 'text-max-width': 8,
      // At the place itself if there is room; otherwise just clear of the cluster at that place.
      'text-variable-anchor-offset': [
        'center', [0, 0], 'top', [0, 1.7], 'bottom', [0, -1.7], 'left', [1.9, 0], 'right', [-1.9, 0],
      ],
    },
    paint: { 'text-color': color, ...halo },
  });
  return [
    // The last layer is placed first, so large names have precedence.
    cities('place-town', ['!', isLarge], FONT, byZoom(2, 10, 8, 11.5, 12, 14), palette.quiet),
    // Within its streets the names of its quarters identify a city. Its own name, and the names of all cities on the
    // same tile, would have to be drawn in bold letters, which takes a slow phone a tenth of a second.
    {
      ...cities('place-city', isLarge, BOLD, byZoom(2, 11, 8, 14.5, 12, 18), palette.label),
      ...(hasStreets ? { maxzoom: QUARTERS_FROM } : {}),
    },
    {
      id: 'place-country', type: 'symbol', ...source, filter: ['==', ['get', 'kind'], 'country'], maxzoom: 7.5,
      layout: {
        'text-field': name, 'text-font': [FONT], 'text-transform': 'uppercase', 'text-letter-spacing': 0.12,
        'text-size': byZoom(1, 9.5, 6, 14), 'symbol-sort-key': ['get', 'rank'], 'text-padding': 6, 'text-max-width': 7,
      },
      paint: { 'text-color': palette.quiet, ...halo },
    },
  ];
}
