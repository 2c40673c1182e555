// @ts-check
// The street nearest to a position. Pure.

import { METRES_PER_DEGREE } from '../geography.js';
import { modeBits } from './modes.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {import('./graph.js').Graph} Graph */
/** @typedef {import('./modes.js').Mode} Mode */

/**
 * A place on a street.
 * @typedef {object} Snap
 * @property {number} edge
 * @property {number} fraction of the edge’s length, from its tail
 * @property {Position} position on the street
 * @property {number} distance metres from the position that was asked for
 */

/** Metres. */
const SNAP_RADIUS = 1_000;
/** Most places are near a street, and a small radius leaves out most streets at once. */
const NEAR = 60;
/** A street is an island if it connects fewer nodes than this share of the largest connected part. */
const ISLAND = 0.02;

/** Finds streets near positions. */
export class Snapper {
  /** @param {Graph} graph */
  constructor(graph) {
    this.graph = graph;
    /** @type {Map<Mode, {part: Int32Array, sizes: Int32Array, largest: number}>} */
    this.parts = new Map();
  }

  /**
   * The nearest street for a mode. Streets of small parts that are not connected to the others, such as the paths of a
   * closed courtyard, are taken only if there is no other.
   * @param {Position} position @param {Mode} mode @param {number} [radius] metres
   * @returns {Snap | null} null if there is no street within the radius
   */
  nearest(position, mode, radius = SNAP_RADIUS) {
    const { part, sizes, largest } = this.#connected(mode);
    const isConnected = (/** @type {number} */ node) => sizes[part[node]] >= largest * ISLAND;
    return this.#find(position, mode, Math.min(NEAR, radius), isConnected)
      ?? this.#find(position, mode, radius, isConnected) ?? this.#find(position, mode, radius, () => true);
  }

  /**
   * @param {Position} position @param {Mode} mode @param {number} radius
   * @param {(node: number) => boolean} isTaken
   * @returns {Snap | null}
   */
  #find([longitude, latitude], mode, radius, isTaken) {
    const { graph } = this;
    const { firstEdge, flags, lengths, longitudes, latitudes, nodeCount } = graph;
    const bits = modeBits[mode].forward | modeBits[mode].backward;
    const width = METRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180);
    const [x, y] = [longitude * 1e6, latitude * 1e6];
    let [best, found] = [radius, /** @type {Snap | null} */ (null)];
    for (let node = 0; node < nodeCount; node += 1) {
      if (firstEdge[node] === firstEdge[node + 1]) continue;
      const [east, north] = [(longitudes[node] - x) * 1e-6 * width, (latitudes[node] - y) * 1e-6 * METRES_PER_DEGREE];
      const away = Math.hypot(east, north);
      for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge += 1) {
        // No point of an edge is farther from its tail than its length; a metre is for rounding.
        if (away - lengths[edge] / 10 - 1 >= best || !(flags[edge] & bits) || !isTaken(node)) continue;
        const near = nearestOn(graph, edge, node, [longitude, latitude], width);
        if (near.distance < best) [best, found] = [near.distance, { edge, ...near }];
      }
    }
    return found;
  }

  /**
   * The connected parts of the streets for a mode, without regard to one-way streets.
   * @param {Mode} mode
   */
  #connected(mode) {
    const kept = this.parts.get(mode);
    if (kept) return kept;
    const { nodeCount, firstEdge, heads, flags } = this.graph;
    const bits = modeBits[mode].forward | modeBits[mode].backward;
    const part = Int32Array.from({ length: nodeCount }, (_, node) => node);
    const root = (/** @type {number} */ node) => {
      let place = node;
      while (part[place] !== place) {
        part[place] = part[part[place]];
        place = part[place];
      }
      return place;
    };
    for (let node = 0; node < nodeCount; node += 1) {
      for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge += 1) {
        if (flags[edge] & bits) part[root(node)] = root(heads[edge]);
      }
    }
    const sizes = new Int32Array(nodeCount);
    let largest = 0;
    for (let node = 0; node < nodeCount; node += 1) {
      part[node] = root(node);
      sizes[part[node]] += 1;
      largest = Math.max(largest, sizes[part[node]]);
    }
    const parts = { part, sizes, largest };
    this.parts.set(mode, parts);
    return parts;
  }
}

/**
 * The nearest place on an edge.
 * @param {Graph} graph @param {number} edge @param {number} tail @param {Position} position
 * @param {number} width metres in a degree of longitude
 * @returns {{distance: number, fraction: number, position: Position}}
 */
function nearestOn(graph, edge, tail, [longitude, latitude], width) {
  let best = Infinity;
  /** @type {Position} */
  let position = [longitude, latitude];
  let [length, along] = [0, 0];
  let [lastX, lastY] = [NaN, NaN];
  graph.forEachPoint(edge, (pointLongitude, pointLatitude) => {
    const [x, y] = [(pointLongitude - longitude) * width, (pointLatitude - latitude) * METRES_PER_DEGREE];
    if (!Number.isNaN(lastX)) {
      const [stepX, stepY] = [x - lastX, y - lastY];
      const square = stepX * stepX + stepY * stepY;
      const share = square > 0 ? Math.max(0, Math.min(1, -(lastX * stepX + lastY * stepY) / square)) : 0;
      const [nearX, nearY] = [lastX + share * stepX, lastY + share * stepY];
      const distance = Math.hypot(nearX, nearY);
      if (distance < best) {
        best = distance;
        along = length + share * Math.sqrt(square);
        position = [longitude + nearX / width, latitude + nearY / METRES_PER_DEGREE];
      }
      length += Math.sqrt(square);
    }
    [lastX, lastY] = [x, y];
  }, tail);
  return { distance: best, fraction: length > 0 ? along / length : 0, position };
}
