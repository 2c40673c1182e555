// Writes pieces of the street graph for tests, and a plain search that the hierarchy is compared with.

import { modeBits } from '../../../public/js/routes/modes.js';

const MAGIC = [0x46, 0x53, 0x54, 0x50];
export const GRAPH = '0123456789abcdef';
/** All modes, both directions. */
export const ALL = 0xff;

class Bytes {
  list = [];

  number(value) {
    let rest = value;
    while (rest >= 0x80) {
      this.list.push((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.list.push(rest);
  }

  signed(value) {
    this.number(((value << 1) ^ (value >> 31)) >>> 0);
  }
}

/**
 * The bytes of a piece. Nodes are `{rank, lon, lat}` in degrees, edges `{tail, head, length, flags, kind, speed, level,
 * name, points}` with indices of nodes and metres; the tail has the lower rank.
 */
export function encodePiece({ x = 1176, y = 1561, version = 1, graph = GRAPH, nodes, edges }) {
  const millionths = ({ lon, lat }) => [Math.round(lon * 1e6), Math.round(lat * 1e6)];
  const sorted = [...edges].sort((one, other) => one.tail - other.tail);
  const names = [...new Set(sorted.map(({ name }) => name).filter(Boolean))];
  const [columns, points, words] = [new Bytes(), new Bytes(), new Bytes()];
  nodes.forEach(({ rank }, index) => columns.number(rank - (index ? nodes[index - 1].rank + 1 : 0)));
  for (const axis of [0, 1]) {
    let last = 0;
    for (const node of nodes) {
      columns.signed(millionths(node)[axis] - last);
      last = millionths(node)[axis];
    }
  }
  sorted.forEach(({ tail }, index) => columns.number(tail - (index ? sorted[index - 1].tail : 0)));
  for (const { tail, head } of sorted) columns.number(head - tail - 1);
  for (const { length } of sorted) columns.number(Math.round(length * 10));
  for (const { flags = ALL, kind = 9 } of sorted) columns.number(flags | (kind << 8));
  for (const { speed = 50 } of sorted) columns.list.push(speed);
  for (const { level = 0 } of sorted) columns.list.push(level & 0xff);
  for (const { name } of sorted) columns.number(names.indexOf(name) + 1);
  for (const { points: line = [] } of sorted) columns.number(line.length);
  for (const { tail, points: line = [] } of sorted) {
    let last = millionths(nodes[tail]);
    for (const [lon, lat] of line) {
      const next = millionths({ lon, lat });
      points.signed(next[0] - last[0]);
      points.signed(next[1] - last[1]);
      last = next;
    }
  }
  for (const name of names) {
    const text = new TextEncoder().encode(name);
    words.number(text.length);
    words.list.push(...text);
  }
  const header = new DataView(new ArrayBuffer(48));
  MAGIC.forEach((byte, place) => header.setUint8(place, byte));
  header.setUint8(4, version);
  header.setUint8(5, 12);
  header.setUint32(8, x, true);
  header.setUint32(12, y, true);
  for (let place = 0; place < 8; place += 1) {
    header.setUint8(16 + place, parseInt(graph.slice(2 * place, 2 * place + 2), 16));
  }
  [nodes.length, sorted.length, names.length, columns.list.length, points.list.length, words.list.length]
    .forEach((number, index) => header.setUint32(24 + 4 * index, number, true));
  return Uint8Array.from([
    ...new Uint8Array(header.buffer), ...columns.list, ...points.list, ...words.list,
  ]);
}

/** The south-western crossing of the village. The border of its two pieces is at -76.5527. */
export const VILLAGE = [-76.5572, 39.29];

/**
 * A village of 9 by 9 crossings, 100 metres apart, near Baltimore: “Avenue 0” to “Avenue 8” lead north, “Street 0” to
 * “Street 8” east. Street 4 is one-way for vehicles to the east, steps replace the part of Avenue 4 north of Street 4,
 * and Avenue 8 is a footway. Two neighbouring pieces share the nodes of Avenue 4.
 */
export function villageBytes() {
  const side = 9;
  const [west, south] = VILLAGE;
  const [east, north] = [0.1 / 111.19508 / Math.cos((south * Math.PI) / 180), 0.1 / 111.19508];
  // Any order is valid; this is the order of a scrambled list.
  const rank = (column, row) => ((row * side + column) * 37) % (side * side);
  const edges = [];
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      const flags = row === 4 ? 0b01_11_11_11 : ALL;
      if (column + 1 < side) edges.push(edgeOf([column, row], [column + 1, row], { name: `Street ${row}`, flags }));
      if (row + 1 < side) edges.push(edgeOf([column, row], [column, row + 1], avenue(column, row)));
    }
  }
  return [0, 1].map((half) => {
    const own = edges.filter(({ from, to }) => (from[0] < 4 || to[0] < 4) === (half === 0));
    const ranks = [...new Set(own.flatMap(({ from, to }) => [rank(...from), rank(...to)]))].sort((a, b) => a - b);
    const places = new Map();
    for (let row = 0; row < side; row += 1) {
      for (let column = 0; column < side; column += 1) {
        places.set(rank(column, row), { lon: west + column * east, lat: south + row * north });
      }
    }
    return encodePiece({
      x: 1176 + half,
      nodes: ranks.map((number) => ({ rank: number, ...places.get(number) })),
      edges: own.map(({ from, to, ...edge }) => {
        const [one, other] = [ranks.indexOf(rank(...from)), ranks.indexOf(rank(...to))];
        if (one < other) return { ...edge, tail: one, head: other };
        return { ...edge, tail: other, head: one, flags: turned(edge.flags) };
      }),
    });
  });

  function avenue(column, row) {
    if (column === 8) return { name: 'Avenue 8', flags: 0b11_11, kind: 1 };
    if (column === 4 && row === 4) return { name: 'Avenue 4', flags: 0b11, kind: 3 };
    return { name: `Avenue ${column}`, flags: ALL };
  }

  function edgeOf(from, to, edge) {
    return { from, to, length: 100, ...edge };
  }
}

/** A single street of 400 metres in a piece that does not touch the village. */
export function hamletBytes() {
  const nodes = [0, 1, 2, 3, 4].map((place) => ({ rank: 100 + place, lon: -76.41 + place * 0.00116, lat: 39.295 }));
  const edges = [0, 1, 2, 3].map((place) => ({ tail: place, head: place + 1, length: 100, name: 'Far Street' }));
  return encodePiece({ x: 1178, nodes, edges });
}

/** The flags of an edge whose ends change places. */
const turned = (flags) => ((flags & 0b01010101) << 1) | ((flags & 0b10101010) >> 1);

/** The least cost between two places, by Dijkstra’s algorithm; Infinity if there is no way. */
export function plainCost(graph, mode, costs, from, to) {
  const around = adjacency(graph);
  const { forward, backward } = modeBits[mode];
  const part = (edge, share) => Math.round(costs[edge] * share);
  const may = (edge, bit) => (graph.flags[edge] & bit) !== 0;
  const best = new Float64Array(graph.nodeCount).fill(Infinity);
  const queue = new Queue();
  const reach = (node, cost) => {
    if (cost < best[node]) {
      best[node] = cost;
      queue.push(cost, node);
    }
  };
  if (may(from.edge, forward)) reach(graph.head(from.edge), part(from.edge, 1 - from.fraction));
  if (may(from.edge, backward)) reach(graph.tail(from.edge), part(from.edge, from.fraction));
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [cost, node] = next;
    if (cost > best[node]) continue;
    for (let place = around.first[node]; place < around.first[node + 1]; place += 1) {
      const edge = around.edges[place];
      const isForward = around.nodes[place] === graph.heads[edge];
      if (may(edge, isForward ? forward : backward)) reach(around.nodes[place], cost + costs[edge]);
    }
  }
  let found = Infinity;
  if (may(to.edge, forward)) found = Math.min(found, best[graph.tail(to.edge)] + part(to.edge, to.fraction));
  if (may(to.edge, backward)) found = Math.min(found, best[graph.head(to.edge)] + part(to.edge, 1 - to.fraction));
  if (from.edge === to.edge) {
    const share = to.fraction - from.fraction;
    if (share === 0) return 0;
    if (may(to.edge, share > 0 ? forward : backward)) found = Math.min(found, part(to.edge, Math.abs(share)));
  }
  return found;
}

/** The distance to the nearest street that a mode may use, found by a look at every street; Infinity without one. */
export function plainDistance(graph, mode, [longitude, latitude]) {
  const bits = modeBits[mode].forward | modeBits[mode].backward;
  const width = 111_195.08 * Math.cos((latitude * Math.PI) / 180);
  let found = Infinity;
  for (let edge = 0; edge < graph.edgeCount; edge += 1) {
    if (!(graph.flags[edge] & bits)) continue;
    const line = graph.edgePoints(edge).map(([x, y]) => [(x - longitude) * width, (y - latitude) * 111_195.08]);
    for (let index = 1; index < line.length; index += 1) {
      const [[x, y], [endX, endY]] = [line[index - 1], line[index]];
      const square = (endX - x) ** 2 + (endY - y) ** 2;
      const share = square > 0 ? Math.max(0, Math.min(1, -(x * (endX - x) + y * (endY - y)) / square)) : 0;
      found = Math.min(found, Math.hypot(x + share * (endX - x), y + share * (endY - y)));
    }
  }
  return found;
}

/** The higher neighbours of each node once all lower ones are removed, with sets. */
export function plainElimination(graph, bits) {
  const around = Array.from({ length: graph.nodeCount }, () => new Set());
  for (let node = 0; node < graph.nodeCount; node += 1) {
    for (let edge = graph.firstEdge[node]; edge < graph.firstEdge[node + 1]; edge += 1) {
      if (graph.flags[edge] & bits) around[node].add(graph.heads[edge]);
    }
  }
  return around.map((own, node) => {
    const higher = [...own].filter((other) => other > node).sort((one, other) => one - other);
    for (const one of higher) for (const other of higher) if (other > one) around[one].add(other);
    return higher;
  });
}

const kept = new WeakMap();

/** The edges around each node. */
function adjacency(graph) {
  if (kept.has(graph)) return kept.get(graph);
  const first = new Int32Array(graph.nodeCount + 1);
  const tails = new Int32Array(graph.edgeCount);
  for (let node = 0; node < graph.nodeCount; node += 1) {
    for (let edge = graph.firstEdge[node]; edge < graph.firstEdge[node + 1]; edge += 1) {
      tails[edge] = node;
      first[node + 1] += 1;
      first[graph.heads[edge] + 1] += 1;
    }
  }
  for (let node = 0; node < graph.nodeCount; node += 1) first[node + 1] += first[node];
  const next = first.slice();
  const [edges, nodes] = [new Int32Array(2 * graph.edgeCount), new Int32Array(2 * graph.edgeCount)];
  for (let edge = 0; edge < graph.edgeCount; edge += 1) {
    for (const [here, there] of [[tails[edge], graph.heads[edge]], [graph.heads[edge], tails[edge]]]) {
      edges[next[here]] = edge;
      nodes[next[here]] = there;
      next[here] += 1;
    }
  }
  kept.set(graph, { first, edges, nodes });
  return kept.get(graph);
}

/** A binary heap of nodes by cost. */
class Queue {
  items = [];

  push(cost, node) {
    const { items } = this;
    let place = items.push([cost, node]) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (items[parent][0] <= cost) break;
      items[place] = items[parent];
      place = parent;
    }
    items[place] = [cost, node];
  }

  pop() {
    const { items } = this;
    const top = items[0];
    const last = items.pop();
    if (items.length === 0 || !last) return top;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1][0] < items[child][0]) child += 1;
      if (items[child][0] >= last[0]) break;
      items[place] = items[child];
      place = child;
    }
    items[place] = last;
    return top;
  }
}

/** Repeatable random numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let number = Math.imul(state ^ (state >>> 15), 1 | state);
    number = (number + Math.imul(number ^ (number >>> 7), 61 | number)) ^ number;
    return ((number ^ (number >>> 14)) >>> 0) / 4294967296;
  };
}

/** Places on streets of a mode. */
export function randomPlaces(graph, mode, count, random) {
  const bits = modeBits[mode].forward | modeBits[mode].backward;
  const edges = [];
  for (let edge = 0; edge < graph.edgeCount; edge += 1) if (graph.flags[edge] & bits) edges.push(edge);
  return Array.from({ length: edges.length ? count : 0 }, () => (
    { edge: edges[Math.floor(random() * edges.length)], fraction: random(), position: [0, 0], distance: 0 }));
}
