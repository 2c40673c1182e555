// @ts-check
// What the shown further collections have at a point of the window, and what they say of it.

import { contextLayerIds } from './context-layers.js';

/** @typedef {{id: string, title: string, attribution: string}} Collection */
/** @typedef {{layer: {id: string}, sourceLayer: string, geometry: {type: string}, properties: Record<string, string | number | boolean>}} Drawn */
/** @typedef {{collection: Collection, id: string, name: string | null, facts: [string, string | number | boolean][]}} ContextFeature */

const REACH = 8; // pixels around a tap, for points and lines
const MOST = 5; // features told of at once
const NAMES = ['name', 'title', 'label'];

/**
 * Features at a point of the window, the topmost first.
 * @param {import('./map-view.js').MapView} view @param {{x: number, y: number}} point
 * @returns {ContextFeature[]}
 */
export function contextAt({ map, shown, options }, point) {
  const { areas, lines, points } = contextLayerIds(shown);
  const drawn = (/** @type {string[]} */ ids) => ids.filter((id) => map.getLayer(id));
  const box = [[point.x - REACH, point.y - REACH], [point.x + REACH, point.y + REACH]];
  const near = map.queryRenderedFeatures(box, { layers: drawn([...points, ...lines]) });
  const around = map.queryRenderedFeatures([point.x, point.y], { layers: drawn(areas) });
  // The edge of an area is drawn as a line; beside it, one is outside.
  return contextFeatures([...near.filter(({ geometry }) => !geometry.type.endsWith('Polygon')), ...around], options.settings.collections ?? []);
}

/**
 * What drawn features say: each once, however many tiles and layers it is drawn in.
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
 * @param {Collection} collection @param {Record<string, string | number | boolean>} properties
 * @returns {ContextFeature}
 */
function describe(collection, { id, ...properties }) {
  const naming = NAMES.find((name) => typeof properties[name] === 'string' && properties[name] !== '');
  return {
    collection, id: String(id), name: naming ? String(properties[naming]) : null,
    facts: Object.entries(properties).filter(([name]) => name !== naming),
  };
}
