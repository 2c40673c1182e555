// @ts-check
// Tiles that the browser stores: those of the first map before it is drawn, and those in view for offline use.

import { requestToStore } from '../api.js';
import { boxOfView } from '../geography.js';
import { streetsInView } from './street-maps.js';
import { visibleTiles } from './visible-tiles.js';

/** @typedef {import('../geography.js').Box} Box */
/** @typedef {import('./pane.js').MapPane} MapPane */

const MOST_TILES = 24; // of each source

/**
 * Requests the tiles of the first map that browsers may keep. They arrive while the library is being read, and its
 * worker finds them in the cache of the browser.
 * @param {MapPane} pane
 */
export function expectTiles({ context: { settings }, place, room: { width, height }, padding: { top, bottom } }) {
  const { zoom } = place;
  const clear = Math.max(1, height - top - bottom);
  const [west, , east, north] = boxOfView(place, width, clear + 2 * top);
  const [, south] = boxOfView(place, width, clear + 2 * bottom);
  /** @type {Box} */
  const box = [west, south, east, north];
  const streets = streetsInView(settings, zoom, box).map((index) => settings.streets[index])
    .filter(({ format, min_zoom: first }) => format === 'vector' && zoom >= first);
  for (const { tiles, max_zoom: last } of [settings.base_map, ...streets]) {
    for (const path of visibleTiles(tiles, box, zoom, last, MOST_TILES)) requestToStore(path, true);
  }
}

/**
 * Addresses of the tiles in view, to store them for offline use.
 * @param {MapPane} pane
 */
export function tilesInView({ view: map, context: { settings: { base_map: base }, lastZoom } }) {
  if (!map) return [];
  const { view: { zoom }, box } = map;
  return [
    ...visibleTiles(map.tiles(), box, zoom, lastZoom, MOST_TILES),
    ...visibleTiles(base.tiles, box, zoom, base.max_zoom, MOST_TILES),
  ];
}
