// @ts-check
// Tiles that the browser stores: those of the first map before it is drawn, and those in view for offline use.

import { requestToStore } from '../api.js';
import { boxOfView } from '../geography.js';
import { streetsInView } from './street-maps.js';
import { visibleTiles } from './visible-tiles.js';

/** @typedef {import('../geography.js').Box} Box */
/** @typedef {import('../types').Settings} Settings */

const MOST_TILES = 24; // of each source

/**
 * Requests the tiles of the first map that browsers may keep. They arrive while the library is being read, and its
 * worker finds them in the cache of the browser.
 * @param {Settings} settings
 * @param {import('../geography.js').View} place
 * @param {import('./room.js').Room} room
 * @param {{top: number, bottom: number}} padding pixels that other elements cover
 */
export function requestTiles(settings, place, { width, height }, { top, bottom }) {
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
 * Addresses of the tiles in view: devices and base map.
 * @param {import('./map-view.js').MapView} view
 * @param {{settings: Settings, lastZoom: number}} context
 */
export function tilesOf(view, { settings: { base_map: base }, lastZoom }) {
  const { view: { zoom }, box } = view;
  return [
    ...visibleTiles(view.tiles(), box, zoom, lastZoom, MOST_TILES),
    ...visibleTiles(base.tiles, box, zoom, base.max_zoom, MOST_TILES),
  ];
}
