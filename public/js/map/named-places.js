// @ts-check
// The towns that the map has drawn, to describe a position or a view in words.

import { distance } from '../geography.js';

/** @typedef {import('../types').Position} Position */

const AROUND = 30_000; // metres: the range of a large town; smaller for a hamlet
const IS_CITY = ['==', ['get', 'kind'], 'city'];

/**
 * @param {any} map the MapLibre map
 * @returns {{geometry: {coordinates: Position}, properties: {rank: number, name: string, name_pt?: string}}[]}
 */
function towns(map) {
  return map.getSource('base') ? map.querySourceFeatures('base', { sourceLayer: 'place', filter: IS_CITY }) : [];
}

/** @param {{name: string, name_pt?: string}} place @param {string} language */
function nameOf({ name, name_pt: portuguese }, language) {
  return (language === 'pt' && portuguese) || name;
}

/**
 * The town or village that a point belongs to, if the map has drawn its surroundings.
 * @param {any} map the MapLibre map @param {Position} position @param {string} language
 * @returns {string | null}
 */
export function placeAround(map, position, language) {
  let best = null;
  let least = AROUND;
  for (const { geometry, properties } of towns(map)) {
    // A large town has a longer range than a hamlet.
    const far = distance(position, geometry.coordinates) * (1 + properties.rank / 4);
    if (far < least) {
      least = far;
      best = nameOf(properties, language);
    }
  }
  return best;
}

/**
 * The place that describes a view best: important and near the centre.
 * @param {any} map the MapLibre map @param {HTMLElement} container @param {string} language
 * @returns {string | null}
 */
export function placeInView(map, { clientWidth, clientHeight }, language) {
  const middle = map.project(map.getCenter());
  let best = null;
  let least = Math.max(clientWidth, clientHeight);
  for (const { geometry, properties } of towns(map)) {
    const point = map.project(geometry.coordinates);
    const cost = Math.hypot(point.x - middle.x, point.y - middle.y) + properties.rank * 25;
    if (cost < least) {
      least = cost;
      best = nameOf(properties, language);
    }
  }
  return best;
}
