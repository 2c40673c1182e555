// @ts-check
// Reads one piece of the street graph (docs/reference/street-graph.md). Pure. For any bytes, it ends in time
// that grows with their number, and throws only RouteError.

import { RouteError } from './errors.js';
import { ZOOM } from './grid.js';

export const VERSION = 1;
const MAGIC = 0x50545346; // “FSTP” as a little-endian number
const HEADER = 48;
/** The limits of the reader. */
export const LIMITS = Object.freeze({
  bytes: 32 << 20, nodes: 1 << 20, edges: 1 << 21, names: 1 << 20, nameBytes: 1_000, length: 1 << 24, rank: 1 << 30,
});
/** Millionths of a degree. */
const [MAX_X, MAX_Y] = [180_000_000, 90_000_000];
/** The smallest number of bytes of a node and an edge, which keeps a small piece from a large allocation. */
const [NODE_BYTES, EDGE_BYTES] = [3, 8];

/**
 * A piece. Nodes are in the order of their ranks, and edges in the order of their tails, which have the lower rank.
 * @typedef {object} Piece
 * @property {number} x
 * @property {number} y
 * @property {string} graph the file it belongs to, 16 hexadecimal digits
 * @property {Int32Array} ranks
 * @property {Int32Array} longitudes millionths of a degree
 * @property {Int32Array} latitudes
 * @property {Int32Array} tails @property {Int32Array} heads indices of nodes
 * @property {Int32Array} lengths decimetres
 * @property {Uint16Array} flags
 * @property {Uint8Array} speeds kilometres an hour
 * @property {Int8Array} levels
 * @property {Int32Array} nameIndices 0 for none, from 1 on indices of `names`
 * @property {Int32Array} pointStarts where the points of each edge begin in `points`, and their end
 * @property {Uint8Array} points
 * @property {string[]} names
 */

/** Numbers with seven bits in a byte, the lowest first, below 2³¹. */
class Numbers {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.place = 0;
  }

  next() {
    const { bytes } = this;
    let number = 0;
    for (let shift = 0; shift <= 28; shift += 7) {
      if (this.place >= bytes.length) throw new RouteError('damaged', 'ends within a number');
      const byte = bytes[this.place];
      this.place += 1;
      if (shift === 28 && byte > 7) break;
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
    throw new RouteError('damaged', 'has a number above 2³¹');
  }

  signed() {
    const number = this.next();
    return (number >>> 1) ^ -(number & 1);
  }

  byte() {
    if (this.place >= this.bytes.length) throw new RouteError('damaged', 'ends too early');
    this.place += 1;
    return this.bytes[this.place - 1];
  }
}

/**
 * @param {Uint8Array} bytes of a piece, not compressed
 * @returns {Piece}
 */
export function decodePiece(bytes) {
  if (bytes.length < HEADER) throw new RouteError('damaged', 'is shorter than a header');
  if (bytes.length > LIMITS.bytes) throw new RouteError('too-large', 'has too many bytes');
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  const word = (/** @type {number} */ place) => header.getUint32(place, true);
  if (word(0) !== MAGIC) throw new RouteError('damaged', 'is not a piece of streets');
  if (header.getUint8(4) !== VERSION) throw new RouteError('version', `is version ${header.getUint8(4)}`);
  if (header.getUint8(5) !== ZOOM || word(8) >= 2 ** ZOOM || word(12) >= 2 ** ZOOM) {
    throw new RouteError('damaged', 'is not of this grid');
  }
  const [nodeCount, edgeCount, nameCount] = [word(24), word(28), word(32)];
  const [columnBytes, pointBytes, nameBytes] = [word(36), word(40), word(44)];
  if (nodeCount > LIMITS.nodes || edgeCount > LIMITS.edges || nameCount > LIMITS.names) {
    throw new RouteError('too-large', 'has too many streets');
  }
  if (HEADER + columnBytes + pointBytes + nameBytes !== bytes.length
    || nodeCount * NODE_BYTES + edgeCount * EDGE_BYTES > columnBytes || nameCount > nameBytes) {
    throw new RouteError('damaged', 'has another length than its header states');
  }
  const pointsAt = HEADER + columnBytes;
  const columns = new Numbers(bytes.subarray(HEADER, pointsAt));
  const points = bytes.subarray(pointsAt, pointsAt + pointBytes);
  const nodes = readNodes(columns, nodeCount);
  const edges = readEdges(columns, edgeCount, nodeCount, nameCount);
  if (columns.place !== columnBytes) throw new RouteError('damaged', 'has more columns than it needs');
  return {
    x: word(8), y: word(12), graph: hexadecimal(bytes.subarray(16, 24)), ...nodes, ...edges, points,
    pointStarts: findPoints(points, nodes, edges),
    names: readNames(bytes.subarray(pointsAt + pointBytes), nameCount),
  };
}

/** @param {Uint8Array} bytes */
const hexadecimal = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {Numbers} columns @param {number} count */
function readNodes(columns, count) {
  const [ranks, longitudes, latitudes] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  let rank = -1;
  for (let node = 0; node < count; node += 1) {
    rank += columns.next() + 1;
    if (rank >= LIMITS.rank) throw new RouteError('damaged', 'has a rank above the limit');
    ranks[node] = rank;
  }
  readPositions(columns, longitudes, MAX_X);
  readPositions(columns, latitudes, MAX_Y);
  return { ranks, longitudes, latitudes };
}

/** @param {Numbers} columns @param {Int32Array} column @param {number} limit */
function readPositions(columns, column, limit) {
  let value = 0;
  for (let node = 0; node < column.length; node += 1) {
    value += columns.signed();
    if (value < -limit || value > limit) throw new RouteError('damaged', 'has a node outside of the world');
    column[node] = value;
  }
}

/** @param {Numbers} columns @param {number} count @param {number} nodeCount @param {number} nameCount */
function readEdges(columns, count, nodeCount, nameCount) {
  const [tails, heads, lengths] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  const [flags, speeds, levels] = [new Uint16Array(count), new Uint8Array(count), new Int8Array(count)];
  const [nameIndices, pointCounts] = [new Int32Array(count), new Int32Array(count)];
  let tail = 0;
  for (let edge = 0; edge < count; edge += 1) {
    tail += columns.next();
    if (tail >= nodeCount) throw new RouteError('damaged', 'has an edge without its node');
    tails[edge] = tail;
  }
  for (let edge = 0; edge < count; edge += 1) {
    const head = tails[edge] + 1 + columns.next();
    if (head >= nodeCount) throw new RouteError('damaged', 'has an edge without its node');
    heads[edge] = head;
  }
  readColumn(columns, lengths, LIMITS.length);
  readColumn(columns, flags, 0xffff);
  for (let edge = 0; edge < count; edge += 1) speeds[edge] = columns.byte();
  for (let edge = 0; edge < count; edge += 1) levels[edge] = columns.byte();
  readColumn(columns, nameIndices, nameCount);
  readColumn(columns, pointCounts, LIMITS.bytes);
  return { tails, heads, lengths, flags, speeds, levels, nameIndices, pointCounts };
}

/** @param {Numbers} columns @param {Int32Array | Uint16Array} column @param {number} limit the largest value */
function readColumn(columns, column, limit) {
  for (let index = 0; index < column.length; index += 1) {
    const value = columns.next();
    if (value > limit) throw new RouteError('damaged', 'has a value above its limit');
    column[index] = value;
  }
}

/**
 * Where the points of each edge begin. All are read once, so that later reads need no check.
 * @param {Uint8Array} points
 * @param {{longitudes: Int32Array, latitudes: Int32Array}} nodes
 * @param {{tails: Int32Array, pointCounts: Int32Array}} edges
 */
function findPoints(points, { longitudes, latitudes }, { tails, pointCounts }) {
  const numbers = new Numbers(points);
  const starts = new Int32Array(tails.length + 1);
  for (let edge = 0; edge < tails.length; edge += 1) {
    starts[edge] = numbers.place;
    let [x, y] = [longitudes[tails[edge]], latitudes[tails[edge]]];
    for (let point = 0; point < pointCounts[edge]; point += 1) {
      x += numbers.signed();
      y += numbers.signed();
      if (Math.abs(x) > MAX_X || Math.abs(y) > MAX_Y) {
        throw new RouteError('damaged', 'has a point outside of the world');
      }
    }
  }
  starts[tails.length] = numbers.place;
  if (numbers.place !== points.length) throw new RouteError('damaged', 'has more points than its edges');
  return starts;
}

/** @param {Uint8Array} bytes @param {number} count */
function readNames(bytes, count) {
  const numbers = new Numbers(bytes);
  const decoder = new TextDecoder();
  /** @type {string[]} */
  const names = [];
  for (let index = 0; index < count; index += 1) {
    const length = numbers.next();
    if (length > LIMITS.nameBytes) throw new RouteError('damaged', 'has a name above its limit');
    if (length > bytes.length - numbers.place) throw new RouteError('damaged', 'ends within a name');
    names.push(decoder.decode(bytes.subarray(numbers.place, numbers.place + length)));
    numbers.place += length;
  }
  if (numbers.place !== bytes.length) throw new RouteError('damaged', 'has bytes after its end');
  return names;
}
