// @ts-check
// The streets of some pieces as one graph in typed arrays. Pure.

import { RouteError } from './errors.js';
import { modeBits } from './modes.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {import('./modes.js').Mode} Mode */
/** @typedef {import('./piece.js').Piece} Piece */

/**
 * The kinds of streets, by their number in the flags of an edge.
 * @type {readonly string[]}
 */
export const KINDS = [
  'other', 'footway', 'path', 'steps', 'cycleway', 'pedestrian', 'track', 'service', 'living_street', 'residential',
  'unclassified', 'tertiary', 'secondary', 'primary', 'trunk', 'motorway',
];
const KIND_SHIFT = 8;
const STEPS = KINDS.indexOf('steps');
const DEGREE = 1e-6;

/**
 * Streets between junctions. A node is a number from 0, in the order in which the search removes nodes. An edge is one
 * from 0, in the order of its tail, which is the lower of its two nodes. *Forward* is from the tail to the head.
 */
export class Graph {
  /** @param {Piece[]} pieces of one file, each once @param {Int32Array} ranks of all nodes, each once and in order */
  constructor(pieces, ranks) {
    const edgeCount = pieces.reduce((count, { tails }) => count + tails.length, 0);
    const nodeCount = ranks.length;
    /** @readonly */ this.nodeCount = nodeCount;
    /** @readonly */ this.edgeCount = edgeCount;
    /** Millionths of a degree. */
    this.longitudes = new Int32Array(nodeCount);
    this.latitudes = new Int32Array(nodeCount);
    /** The first edge of each node that is its tail, and their end. */
    this.firstEdge = new Int32Array(nodeCount + 1);
    this.heads = new Int32Array(edgeCount);
    /** Decimetres. */
    this.lengths = new Int32Array(edgeCount);
    this.flags = new Uint16Array(edgeCount);
    this.speeds = new Uint8Array(edgeCount);
    this.levels = new Int8Array(edgeCount);
    /** @type {string[]} */
    this.names = [''];
    const numbers = new Map([['', 0]]);
    const nameNumbers = pieces.map(({ names }) => this.#addNames(names, numbers));
    this.nameIndices = this.names.length <= 0xffff ? new Uint16Array(edgeCount) : new Int32Array(edgeCount);
    this.pointStarts = new Int32Array(edgeCount + 1);
    this.points = new Uint8Array(pieces.reduce((count, { points }) => count + points.length, 0));
    const nodes = pieces.map((piece) => this.#addNodes(piece, ranks));
    this.#addEdges(pieces, nodes, nameNumbers);
  }

  /**
   * @param {string[]} names of a piece @param {Map<string, number>} numbers of the names so far
   * @returns {Int32Array} the number here of each number there
   */
  #addNames(names, numbers) {
    const found = new Int32Array(names.length + 1);
    names.forEach((name, index) => {
      let number = numbers.get(name);
      if (number === undefined) {
        number = this.names.length;
        this.names.push(name);
        numbers.set(name, number);
      }
      found[index + 1] = number;
    });
    return found;
  }

  /** @param {Piece} piece @param {Int32Array} ranks @returns {Int32Array} the number here of each node there */
  #addNodes(piece, ranks) {
    const found = new Int32Array(piece.ranks.length);
    let node = 0;
    for (let index = 0; index < found.length; index += 1) {
      while (ranks[node] < piece.ranks[index]) node += 1;
      found[index] = node;
      this.longitudes[node] = piece.longitudes[index];
      this.latitudes[node] = piece.latitudes[index];
    }
    return found;
  }

  /** @param {Piece[]} pieces @param {Int32Array[]} nodes @param {Int32Array[]} names */
  #addEdges(pieces, nodes, names) {
    const { firstEdge } = this;
    pieces.forEach(({ tails }, index) => {
      for (let edge = 0; edge < tails.length; edge += 1) firstEdge[nodes[index][tails[edge]] + 1] += 1;
    });
    for (let node = 0; node < this.nodeCount; node += 1) firstEdge[node + 1] += firstEdge[node];
    // The place of each edge of each piece, and then the lengths of all points, because they change places too.
    const next = firstEdge.slice();
    const places = pieces.map(({ tails, pointStarts }, index) => tails.map((tail, edge) => {
      const place = next[nodes[index][tail]];
      next[nodes[index][tail]] += 1;
      this.pointStarts[place + 1] = pointStarts[edge + 1] - pointStarts[edge];
      return place;
    }));
    for (let edge = 0; edge < this.edgeCount; edge += 1) this.pointStarts[edge + 1] += this.pointStarts[edge];
    pieces.forEach((piece, index) => this.#copyEdges(piece, places[index], nodes[index], names[index]));
  }

  /** @param {Piece} piece @param {Int32Array} places @param {Int32Array} nodes @param {Int32Array} names */
  #copyEdges(piece, places, nodes, names) {
    for (let edge = 0; edge < places.length; edge += 1) {
      const place = places[edge];
      this.heads[place] = nodes[piece.heads[edge]];
      this.lengths[place] = piece.lengths[edge];
      this.flags[place] = piece.flags[edge];
      this.speeds[place] = piece.speeds[edge];
      this.levels[place] = piece.levels[edge];
      this.nameIndices[place] = names[piece.nameIndices[edge]];
      let to = this.pointStarts[place];
      for (let from = piece.pointStarts[edge]; from < piece.pointStarts[edge + 1]; from += 1) {
        this.points[to] = piece.points[from];
        to += 1;
      }
    }
  }

  /** The memory of the arrays, in bytes. */
  get bytes() {
    const {
      longitudes, latitudes, firstEdge, heads, lengths, flags, speeds, levels, nameIndices, pointStarts, points,
    } = this;
    return [longitudes, latitudes, firstEdge, heads, lengths, flags, speeds, levels, nameIndices, pointStarts, points]
      .reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** @param {number} edge @returns {number} its lower node */
  tail(edge) {
    let [low, high] = [0, this.nodeCount];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.firstEdge[middle] <= edge) low = middle; else high = middle;
    }
    return low;
  }

  /** @param {number} edge @returns {number} its higher node */
  head(edge) {
    return this.heads[edge];
  }

  /** @param {number} node @returns {Position} */
  position(node) {
    return [this.longitudes[node] * DEGREE, this.latitudes[node] * DEGREE];
  }

  /** @param {number} edge @returns {number} metres */
  length(edge) {
    return this.lengths[edge] / 10;
  }

  /**
   * Visits the points of an edge from its tail to its head, both included.
   * @param {number} edge @param {(longitude: number, latitude: number) => void} visit
   * @param {number} [tail] if it is known
   */
  forEachPoint(edge, visit, tail = this.tail(edge)) {
    const { points } = this;
    let [x, y] = [this.longitudes[tail], this.latitudes[tail]];
    let place = this.pointStarts[edge];
    const end = this.pointStarts[edge + 1];
    const next = () => {
      let number = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = points[place];
        place += 1;
        number |= (byte & 0x7f) << shift;
        if (byte < 0x80) return (number >>> 1) ^ -(number & 1);
      }
    };
    visit(x * DEGREE, y * DEGREE);
    while (place < end) {
      x += next();
      y += next();
      visit(x * DEGREE, y * DEGREE);
    }
    visit(this.longitudes[this.heads[edge]] * DEGREE, this.latitudes[this.heads[edge]] * DEGREE);
  }

  /** @param {number} edge @returns {Position[]} from its tail to its head */
  edgePoints(edge) {
    /** @type {Position[]} */
    const found = [];
    this.forEachPoint(edge, (longitude, latitude) => found.push([longitude, latitude]));
    return found;
  }

  /** @param {number} edge @returns {string} '' for none */
  name(edge) {
    return this.names[this.nameIndices[edge]];
  }

  /** @param {number} edge @returns {string} one of {@link KINDS} */
  kind(edge) {
    return KINDS[(this.flags[edge] >> KIND_SHIFT) & 15];
  }

  /** @param {number} edge @returns {number} 0 on the ground */
  level(edge) {
    return this.levels[edge];
  }

  /** @param {number} edge @returns {number} kilometres an hour, of motor vehicles */
  maxSpeed(edge) {
    return this.speeds[edge];
  }

  /** @param {number} edge */
  isSteps(edge) {
    return ((this.flags[edge] >> KIND_SHIFT) & 15) === STEPS;
  }

  /** @param {number} edge @param {Mode} mode @param {boolean} isForward */
  allows(edge, mode, isForward) {
    const { forward, backward } = modeBits[mode];
    return (this.flags[edge] & (isForward ? forward : backward)) !== 0;
  }
}

/**
 * Joins pieces into one graph. A node that several pieces share is one node: its rank is the same in all.
 * @param {Piece[]} pieces of one file
 * @returns {Graph}
 */
export function joinPieces(pieces) {
  if (pieces.some(({ graph }) => graph !== pieces[0].graph)) throw new RouteError('mixed');
  const each = [...new Map(pieces.map((piece) => [`${piece.x}/${piece.y}`, piece])).values()];
  const all = new Int32Array(each.reduce((count, { ranks }) => count + ranks.length, 0));
  let place = 0;
  for (const { ranks } of each) {
    all.set(ranks, place);
    place += ranks.length;
  }
  all.sort();
  const ranks = all.filter((rank, index) => index === 0 || rank !== all[index - 1]);
  return new Graph(each, ranks);
}
