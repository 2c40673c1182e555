// @ts-check
// The cost of avoiding: the exposure on the edges of a street graph, for each combination of kinds that its devices
// collect. Pure. A change of the kinds or of the slider only adds these numbers up again.

import { weightOf } from './kinds.js';
import { exposuresOnPiece } from './model.js';

/** @typedef {import('./kinds.js').Kind} Kind */
/** @typedef {import('./model.js').SensorIndex} SensorIndex */
/** @typedef {import('../types').Position} Position */
/** @typedef {{kinds: Kind[], edges: number[], metres: number[]}} Layer the exposed edges, for devices of some kinds */

/**
 * @param {SensorIndex} index
 * @param {number} count of edges
 * @param {(edge: number) => readonly Position[]} shapeOf
 * @returns {Layer[]}
 */
export function exposureOfEdges(index, count, shapeOf) {
  /** @type {Map<string, {kinds: Kind[], metres: Map<number, number>}>} */
  const layers = new Map();
  if (index.cells.size) {
    for (let edge = 0; edge < count; edge += 1) {
      const shape = shapeOf(edge);
      for (let i = 1; i < shape.length; i += 1) {
        exposuresOnPiece(index, shape[i - 1], shape[i], (number, { metres }) => {
          const { kinds } = index.sensors[number];
          const key = kinds.join();
          const layer = layers.get(key) ?? { kinds, metres: new Map() };
          layers.set(key, layer);
          layer.metres.set(edge, (layer.metres.get(edge) ?? 0) + metres);
        });
      }
    }
  }
  return [...layers.values()].map(({ kinds, metres }) => (
    { kinds, edges: [...metres.keys()], metres: [...metres.values()] }));
}

/**
 * The weighted exposure of each edge for someone who avoids some kinds.
 * @param {readonly Layer[]} layers @param {number} count of edges @param {readonly Kind[]} avoided
 * @returns {Float64Array}
 */
export function exposureFor(layers, count, avoided) {
  const sum = new Float64Array(count);
  for (const { kinds, edges, metres } of layers) {
    const weight = weightOf(kinds, avoided);
    if (weight) edges.forEach((edge, place) => { sum[edge] += weight * metres[place]; });
  }
  return sum;
}

/** The price of the quietest way. */
export const MAX_PRICE = 50;

/**
 * Metres of detour that one weighted metre of exposure is worth, for the slider from shortest (0) to quietest (1).
 * @param {number} share
 */
export function priceOf(share) {
  const clamped = Math.min(1, Math.max(0, share));
  return MAX_PRICE * clamped * clamped;
}
