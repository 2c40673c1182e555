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
 * @property {number} distance metres from the given position
 */

/** Metres. */
const SNAP_RADIUS = 1_000;
/** Most places are near a street, and a small radius leaves out most streets at once. */
const NEAR = 60;
/** Nodes whose streets share a box. Nodes with neighbouring numbers are neighbours on the ground, too. */
const BLOCK = 64;
/** A street is an island if it connects fewer nodes than this share of the largest connected part. */
const ISLAND = 0.02;

/** Finds streets near positions. */
export class Snapper {
  /** @param {Graph} graph */
  constructor(graph) {
    this.graph = graph;
    this.boxes = boxes(graph);
    /** @type {Map<Mode, {part: Int32Array, sizes: Int32Array, largest: number}>} */
    this.parts = new Map();
  }

  /**
   * The nearest street for a mode. Streets of small parts that are not connected to the others, such as the paths of a
   * closed courtyard, are used only without another street.
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
    for (let block = 0; block * BLOCK < nodeCount; block += 1) {
      if (this.#farness(block, x, y, width) >= best) continue;
      const end = Math.min(nodeCount, (block + 1) * BLOCK);
      for (let node = block * BLOCK; node < end; node += 1) {
        if (firstEdge[node] === firstEdge[node + 1]) continue;
        const east = (longitudes[node] - x) * 1e-6 * width;
        const north = (latitudes[node] - y) * 1e-6 * METRES_PER_DEGREE;
        const away = Math.hypot(east, north);
        for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge += 1) {
          // No point of an edge is farther from its tail than its length; a metre is for rounding.
          if (away - lengths[edge] / 10 - 1 >= best || !(flags[edge] & bits) || !isTaken(node)) continue;
          const near = nearestOn(graph, edge, node, [longitude, latitude], width);
          if (near.distance < best) [best, found] = [near.distance, { edge, ...near }];
        }
      }
    }
    return found;
  }

  /**
   * The distance from a position to the box of a block in metres, at most that to its streets.
   * @param {number} block @param {number} x @param {number} y millionths of a degree
   * @param {number} width metres in a degree of longitude
   */
  #farness(block, x, y, width) {
    const { boxes: all } = this;
    const place = block * 4;
    const east = Math.max(0, all[place] - x, x - all[place + 2]) * 1e-6 * width;
    const north = Math.max(0, all[place + 1] - y, y - all[place + 3]) * 1e-6 * METRES_PER_DEGREE;
    return Math.hypot(east, north);
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
 * The boxes of the streets of each block: west, south, east and north in millionths of a degree.
 * @param {Graph} graph
 * @returns {Int32Array}
 */
function boxes({ nodeCount, firstEdge, heads, lengths, longitudes, latitudes }) {
  const all = new Int32Array(Math.ceil(nodeCount / BLOCK) * 4);
  for (let place = 0; place < all.length; place += 4) all.set([1e9, 1e9, -1e9, -1e9], place);
  for (let node = 0; node < nodeCount; node += 1) {
    const place = Math.floor(node / BLOCK) * 4;
    // The longest degrees of the node: the points of an edge are at most half of its length from one of its ends.
    const latitude = Math.min(90, Math.abs(latitudes[node]) * 1e-6 + 0.5);
    const stretch = 1 / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge += 1) {
      const north = Math.ceil((lengths[edge] / 20 + 1) / METRES_PER_DEGREE * 1e6);
      const east = Math.ceil(north * stretch);
      for (const end of [node, heads[edge]]) {
        all[place] = Math.min(all[place], longitudes[end] - east);
        all[place + 1] = Math.min(all[place + 1], latitudes[end] - north);
        all[place + 2] = Math.max(all[place + 2], longitudes[end] + east);
        all[place + 3] = Math.max(all[place + 3], latitudes[end] + north);
      }
    }
  }
  return all;
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
