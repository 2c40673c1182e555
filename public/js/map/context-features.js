// @ts-check
// The features of the visible further collections at a point of the window, and their properties.

import { contextLayerIds } from './context-layers.js';

/** @typedef {{id: string, title: string, attribution: string}} Collection */
/** @typedef {string | number | boolean} Value */
/** @typedef {Record<string, Value>} Properties */
/**
 * @typedef {{layer: {id: string}, sourceLayer: string, geometry: {type: string}, properties: Properties}} Drawn
 * @typedef {{collection: Collection, id: string, name: string | null, facts: [string, Value][]}} ContextFeature
 */

const REACH = 8; // pixels around a tap, for points and lines
const MOST = 5; // features described at once
const NAMES = ['name', 'title', 'label'];

/**
 * Features at a point of the window, the topmost first.
 * @param {import('./map-view.js').MapView} view @param {{x: number, y: number}} point
 * @returns {ContextFeature[]}
 */
export function contextAt({ map, shown, options }, point) {
  const { areas, lines, points } = contextLayerIds(shown);
  const existing = (/** @type {string[]} */ ids) => ids.filter((id) => map.getLayer(id));
  const box = [[point.x - REACH, point.y - REACH], [point.x + REACH, point.y + REACH]];
  /** @type {Drawn[]} */
  const near = map.queryRenderedFeatures(box, { layers: existing([...points, ...lines]) });
  const around = map.queryRenderedFeatures([point.x, point.y], { layers: existing(areas) });
  // The edge of an area is drawn as a line. A tap next to that line is outside the area.
  return contextFeatures([...near.filter(({ geometry }) => !geometry.type.endsWith('Polygon')), ...around],
    options.settings.collections ?? []);
}

/**
 * The drawn features, each once, although a feature may be in several tiles and layers.
 * @param {Drawn[]} drawn @param {Collection[]} collections
 * @returns {ContextFeature[]}
 */
export function contextFeatures(drawn, collections) {
  /** @type {Map<string, ContextFeature>} */
  const found = new Map();
  for (const { sourceLayer, properties } of drawn) {
    const collection = collections.find(({ id }) => id === sourceLayer);
    const key = JSON.stringify([sourceLayer, properties.id]);
    if (collection && !found.has(key) && found.size < MOST) found.set(key, describe(collection, properties));
  }
  return [...found.values()];
}

/**
 * @param {Collection} collection @param {Properties} properties
 * @returns {ContextFeature}
 */
function describe(collection, { id, ...properties }) {
  const naming = NAMES.find((name) => typeof properties[name] === 'string' && properties[name] !== '');
  return {
    collection, id: String(id), name: naming ? String(properties[naming]) : null,
    facts: Object.entries(properties).filter(([name]) => name !== naming),
  };
}
