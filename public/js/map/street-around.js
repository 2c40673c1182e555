// @ts-check
// The street at a position, from the street maps that the map has drawn.

import { METRES_PER_DEGREE } from '../geography.js';

/** @typedef {import('../types').Position} Position */

const AROUND = 40; // metres: a device on a house is at its street
const LABELS = '-road-name'; // layers of street names (street-style.js)

/**
 * The name of the nearest street, as on local signs; null without a street map or a street nearby.
 * @param {any} map of MapLibre @param {Position} position @returns {string | null}
 */
export function streetAround(map, position) {
  let best = null;
  let least = AROUND;
  for (const layer of map.getStyle().layers) {
    if (!layer.id.endsWith(LABELS)) continue;
    const found = map.querySourceFeatures(layer.source,
      { sourceLayer: layer['source-layer'], ...(layer.filter && { filter: layer.filter }) });
    for (const { geometry, properties } of found) {
      const name = properties.name || properties['name:latin'];
      if (!name) continue;
      const far = metresToLines(position, geometry);
      if (far < least) {
        least = far;
        best = name;
      }
    }
  }
  return best;
}

/**
 * Metres from a position to the nearest point of lines; infinite for other geometries.
 * @param {Position} position @param {{type: string, coordinates: any}} geometry
 */
export function metresToLines([longitude, latitude], { type, coordinates }) {
  const lines = type === 'LineString' ? [coordinates] : type === 'MultiLineString' ? coordinates : [];
  const east = METRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
  const flat = (/** @type {Position} */ [x, y]) => [(x - longitude) * east, (y - latitude) * METRES_PER_DEGREE];
  let least = Infinity;
  for (const line of lines) {
    let from = flat(line[0]);
    for (const corner of line.slice(1)) {
      const to = flat(corner);
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const length = dx * dx + dy * dy;
      const part = length ? Math.min(1, Math.max(0, -(from[0] * dx + from[1] * dy) / length)) : 0;
      least = Math.min(least, Math.hypot(from[0] + part * dx, from[1] + part * dy));
      from = to;
    }
  }
  return least;
}
