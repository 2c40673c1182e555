// @ts-check
// The search for ways: customizable contraction hierarchies (Dibbelt, Strasser and Wagner 2016). The order of the nodes
// comes from the file and is a nested dissection order. It is valid for any part of the streets: on fewer nodes, the
// same order has fewer shortcuts. Pure. docs/decisions/0039 has the figures.

import { eliminate } from './elimination.js';
import { modeBits } from './modes.js';
import { keep, MAX_COST, relax, relaxSame } from './triangles.js';

/** @typedef {import('./elimination.js').Elimination} Elimination */
/** @typedef {import('./graph.js').Graph} Graph */
/** @typedef {import('./modes.js').Mode} Mode */
/** @typedef {import('./snap.js').Snap} Snap */

/**
 * A part of an edge. `from` and `to` are shares of the edge’s length, both from its tail: `from` is larger than `to` on
 * the way back.
 * @typedef {{edge: number, isForward: boolean, from: number, to: number}} Step
 */

/** The bits of a node number that each shortcut has: they make the search for the node 256 times shorter. */
const OVER = 0xff;

/**
 * The costs of the shortest way: lengths in decimetres.
 * @param {Graph} graph
 * @returns {Int32Array}
 */
export const lengthCosts = (graph) => graph.lengths;

/** The hierarchy of a graph: it is built once for each mode, and customised for each change of the costs. */
export class Hierarchy {
  /** @param {Graph} graph */
  constructor(graph) {
    /** @readonly */ this.graph = graph;
    /** @type {Elimination} */
    this.arcs = { first: new Int32Array(graph.nodeCount + 1), lists: new Int32Array(0), heads: new Int32Array(0) };
    /** The costs of an arc to its higher node, and back; one array while both are equal. */
    this.up = new Int32Array(0);
    this.down = this.up;
    /** The lowest bits of the node through which the way of an arc leads, if it is a shortcut. */
    this.upOver = new Uint8Array(0);
    this.downOver = this.upOver;
    // The distances of a query, MAX_COST between queries. The customisation uses the same memory.
    this.scratch = [0, 1].map(() => new Int32Array(graph.nodeCount).fill(MAX_COST));
    /** @type {{mode: Mode, costs: ArrayLike<number>, backwardCosts: ArrayLike<number>}} */
    this.metric = { mode: 'walking', costs: graph.lengths, backwardCosts: graph.lengths };
    /** @type {Mode | null} whose arcs there are */
    this.mode = null;
    this.isTwoWay = false;
  }

  /** The number of arcs: edges and shortcuts. */
  get arcCount() {
    return this.up.length;
  }

  /** The memory of the arrays, in bytes, without the arrays of the graph. */
  get bytes() {
    const { arcs: { first, lists, heads }, up, down, upOver, downOver, scratch } = this;
    return [...new Set([first, lists, heads, up, down, upOver, downOver, ...scratch])]
      .reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /**
   * Makes the arcs for a mode. Streets that it does not use need none.
   * @param {Mode} mode
   */
  prepare(mode) {
    if (this.mode === mode) return;
    const { forward, backward } = modeBits[mode];
    this.arcs = eliminate(this.graph, forward | backward);
    this.up = new Int32Array(this.arcs.first[this.graph.nodeCount]);
    this.down = this.up;
    this.upOver = new Uint8Array(this.up.length);
    this.downOver = this.upOver;
    this.isTwoWay = isTwoWay(this.graph, mode);
    this.mode = mode;
  }

  /**
   * Sets the costs. Whole numbers from 0 to {@link MAX_COST}, one for each edge, in decimetres of length.
   * @param {Mode} mode @param {ArrayLike<number>} costs from the tail to the head
   * @param {ArrayLike<number>} [backwardCosts] from the head to the tail
   */
  customise(mode, costs, backwardCosts = costs) {
    this.prepare(mode);
    this.metric = { mode, costs, backwardCosts };
    const isSame = costs === backwardCosts && this.isTwoWay;
    if (isSame) {
      [this.down, this.downOver] = [this.up, this.upOver];
    } else if (this.down === this.up) {
      [this.down, this.downOver] = [new Int32Array(this.up.length), new Uint8Array(this.up.length)];
    }
    const { up, down, upOver, downOver, arcs: { first, lists, heads } } = this;
    const { nodeCount, firstEdge, heads: edgeHeads, flags } = this.graph;
    const { forward, backward } = modeBits[mode];
    // The costs to each higher node and back while a node has its turn; MAX_COST otherwise.
    const [there, back] = isSame ? [this.scratch[0], this.scratch[0]] : this.scratch;
    const [thereOver, backOver] = [new Uint8Array(nodeCount), new Uint8Array(isSame ? 0 : nodeCount)];
    // Each lower node waits in the list of the node to which its next arc leads: `firstLower` begins the list of a
    // node. So each node meets exactly the lower nodes that it needs, when their costs are final, without a list of
    // triangles. The last arc of a node is in no triangle. `waiting` has for each node the next of its list and the
    // next arc: adjacent in memory, for the cache.
    const firstLower = new Int32Array(nodeCount).fill(-1);
    const waiting = new Int32Array(nodeCount * 2);
    for (let node = 0; node < nodeCount; node += 1) {
      const begin = first[node];
      const end = first[node + 1];
      const list = lists[node] - begin;
      for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge += 1) {
        const bits = flags[edge];
        const head = edgeHeads[edge];
        if (bits & forward && costs[edge] < there[head]) there[head] = costs[edge];
        if (bits & backward && backwardCosts[edge] < back[head]) back[head] = backwardCosts[edge];
      }
      for (let lower = firstLower[node]; lower >= 0;) {
        const place = lower * 2;
        const next = waiting[place];
        const arc = waiting[place + 1];
        const lowerEnd = first[lower + 1];
        const lowerList = lists[lower] - first[lower];
        if (isSame) relaxSame(there, thereOver, lower, up, heads, lowerList, arc, lowerEnd);
        else relax(there, back, thereOver, backOver, lower, up, down, heads, lowerList, arc, lowerEnd);
        if (arc + 2 < lowerEnd) {
          const head = heads[lowerList + arc + 1];
          waiting[place] = firstLower[head];
          waiting[place + 1] = arc + 1;
          firstLower[head] = lower;
        }
        lower = next;
      }
      keep(there, thereOver, up, upOver, heads, list, begin, end);
      if (!isSame) keep(back, backOver, down, downOver, heads, list, begin, end);
      if (begin + 1 < end) {
        const head = heads[list + begin];
        waiting[node * 2] = firstLower[head];
        waiting[node * 2 + 1] = begin;
        firstLower[head] = node;
      }
    }
  }

  /**
   * The way with the least cost.
   * @param {Snap} from @param {Snap} to
   * @returns {{cost: number, steps: Step[]} | null} null without a way
   */
  query(from, to) {
    const [forward, backward] = this.scratch;
    const [starts, ends] = [this.#ends(from, true), this.#ends(to, false)];
    const fromPath = this.#climb(starts, forward, this.up);
    const toPath = this.#climb(ends, backward, this.down);
    let found = this.#along(from, to);
    let [best, meeting] = [found?.cost ?? MAX_COST, -1];
    for (const node of toPath) {
      const cost = forward[node] + backward[node];
      if (cost < best) [best, meeting] = [cost, node];
    }
    if (meeting >= 0) {
      const there = this.#trace(meeting, starts, fromPath, forward, this.up);
      const back = this.#trace(meeting, ends, toPath, backward, this.down);
      /** @type {Step[]} */
      const steps = [partOf(from, there.end, true)];
      for (const [lower, higher] of there.arcs.reverse()) this.#unpack(lower, higher, true, steps);
      for (const [lower, higher] of back.arcs) this.#unpack(lower, higher, false, steps);
      steps.push(partOf(to, back.end, false));
      found = { cost: best, steps: steps.filter((step) => step.from !== step.to) };
    }
    for (const node of fromPath) forward[node] = MAX_COST;
    for (const node of toPath) backward[node] = MAX_COST;
    return found;
  }

  /**
   * The ends of the edge of a place that can be reached from there, or from which it can be reached.
   * @param {Snap} snap @param {boolean} isStart
   * @returns {End[]}
   */
  #ends({ edge, fraction }, isStart) {
    const { graph, metric: { costs, backwardCosts, mode } } = this;
    const tail = { node: graph.tail(edge), isHead: false };
    const head = { node: graph.head(edge), isHead: true };
    const toHead = (/** @type {number} */ share) => partCost(costs[edge], share);
    const toTail = (/** @type {number} */ share) => partCost(backwardCosts[edge], share);
    /** @type {End[]} */
    const ends = [];
    if (graph.allows(edge, mode, true)) {
      ends.push(isStart ? { ...head, cost: toHead(1 - fraction) } : { ...tail, cost: toHead(fraction) });
    }
    if (graph.allows(edge, mode, false)) {
      ends.push(isStart ? { ...tail, cost: toTail(fraction) } : { ...head, cost: toTail(1 - fraction) });
    }
    return ends.filter(({ cost }) => cost < MAX_COST);
  }

  /**
   * The way along one edge on which both places are.
   * @param {Snap} from @param {Snap} to
   * @returns {{cost: number, steps: Step[]} | null}
   */
  #along(from, to) {
    const { graph, metric: { costs, backwardCosts, mode } } = this;
    const { edge } = from;
    if (edge !== to.edge) return null;
    if (from.fraction === to.fraction) return { cost: 0, steps: [] };
    const isForward = to.fraction > from.fraction;
    const cost = partCost((isForward ? costs : backwardCosts)[edge], Math.abs(to.fraction - from.fraction));
    if (!graph.allows(edge, mode, isForward) || cost >= MAX_COST) return null;
    return { cost, steps: [{ edge, isForward, from: from.fraction, to: to.fraction }] };
  }

  /**
   * Sets the distances of all nodes that can be reached upwards. Each node’s first arc leads to its parent in the
   * elimination tree, and all its higher neighbours are ancestors, so the climb needs no queue.
   * @param {End[]} ends @param {Int32Array} distances @param {Int32Array} costs of the arcs
   * @returns {number[]} the nodes, from the lowest
   */
  #climb(ends, distances, costs) {
    const { first, lists, heads } = this.arcs;
    for (const { node, cost } of ends) distances[node] = Math.min(distances[node], cost);
    /** @type {number[]} */
    const path = [];
    let [one, other] = [ends[0]?.node ?? Infinity, ends[1]?.node ?? Infinity];
    while (one < Infinity || other < Infinity) {
      const node = Math.min(one, other);
      path.push(node);
      const begin = first[node];
      const end = first[node + 1];
      const list = lists[node] - begin;
      const distance = distances[node];
      if (distance < MAX_COST) {
        for (let arc = begin; arc < end; arc += 1) {
          const sum = distance + costs[arc];
          const head = heads[list + arc];
          if (sum < distances[head]) distances[head] = sum;
        }
      }
      const parent = begin < end ? heads[list + begin] : Infinity;
      if (one === node) one = parent;
      if (other === node) other = parent;
    }
    return path;
  }

  /**
   * The arcs from a node down to the end that its distance comes from, each as its lower and its higher node.
   * @param {number} meeting @param {End[]} ends @param {number[]} path the nodes from the lowest
   * @param {Int32Array} distances @param {Int32Array} costs
   * @returns {{arcs: [number, number][], end: End}}
   */
  #trace(meeting, ends, path, distances, costs) {
    /** @type {[number, number][]} */
    const arcs = [];
    let node = meeting;
    let place = path.indexOf(meeting);
    for (;;) {
      const distance = distances[node];
      const end = ends.find((each) => each.node === node && each.cost === distance);
      if (end) return { arcs, end };
      let arc = -1;
      while (arc < 0 && place > 0) {
        place -= 1;
        arc = this.#arc(path[place], node);
        if (arc >= 0 && distances[path[place]] + costs[arc] !== distance) arc = -1;
      }
      if (arc < 0) throw new Error('a distance comes from no arc');
      arcs.push([path[place], node]);
      node = path[place];
    }
  }

  /**
   * The arc between two nodes, or -1.
   * @param {number} lower @param {number} higher
   */
  #arc(lower, higher) {
    const { first, lists, heads } = this.arcs;
    const list = lists[lower] - first[lower];
    let [low, high] = [first[lower], first[lower + 1]];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (heads[list + middle] < higher) low = middle + 1; else high = middle;
    }
    return low < first[lower + 1] && heads[list + low] === higher ? low : -1;
  }

  /**
   * Adds the edges of an arc: its own edges, or the edges of the two arcs through a lower node.
   * @param {number} lower @param {number} higher @param {boolean} isUp from the lower node
   * @param {Step[]} steps
   */
  #unpack(lower, higher, isUp, steps) {
    const { up, down } = this;
    const arc = this.#arc(lower, higher);
    const cost = isUp ? up[arc] : down[arc];
    const edge = this.#edge(lower, higher, isUp, cost);
    if (edge >= 0) {
      steps.push({ edge, isForward: isUp, from: isUp ? 0 : 1, to: isUp ? 1 : 0 });
      return;
    }
    const over = isUp ? this.upOver[arc] : this.downOver[arc];
    // The nodes below whose lowest bits are known. Usually it is one of the nearest.
    for (let middle = lower - 1 - ((lower - 1 - over) & OVER); middle >= 0; middle -= OVER + 1) {
      const other = this.#arc(middle, higher);
      const one = other >= 0 ? this.#arc(middle, lower) : -1;
      if (one >= 0 && cost === (isUp ? down[one] + up[other] : down[other] + up[one])) {
        this.#unpack(middle, isUp ? lower : higher, false, steps);
        this.#unpack(middle, isUp ? higher : lower, true, steps);
        return;
      }
    }
    throw new Error('a shortcut has no parts');
  }

  /**
   * The edge between two nodes with a cost, or -1.
   * @param {number} lower @param {number} higher @param {boolean} isUp @param {number} cost
   */
  #edge(lower, higher, isUp, cost) {
    const { graph, metric: { costs, backwardCosts, mode } } = this;
    const wanted = isUp ? costs : backwardCosts;
    for (let edge = graph.firstEdge[lower]; edge < graph.firstEdge[lower + 1]; edge += 1) {
      if (graph.heads[edge] === higher && wanted[edge] === cost && graph.allows(edge, mode, isUp)) return edge;
    }
    return -1;
  }
}

/** @typedef {{node: number, isHead: boolean, cost: number}} End an end of the edge of a place */

/** @param {number} cost of the whole edge @param {number} share */
const partCost = (cost, share) => (cost >= MAX_COST ? MAX_COST : Math.round(cost * share));

/**
 * The step between a place on an edge and one of its ends.
 * @param {Snap} snap @param {End} end @param {boolean} isStart
 * @returns {Step}
 */
function partOf({ edge, fraction }, { isHead }, isStart) {
  const at = isHead ? 1 : 0;
  if (isStart) return { edge, isForward: isHead, from: fraction, to: at };
  return { edge, isForward: !isHead, from: at, to: fraction };
}

/**
 * Whether every street of a mode can be used in both directions, as usually when walking.
 * @param {Graph} graph @param {Mode} mode
 */
function isTwoWay({ flags }, mode) {
  const { forward, backward } = modeBits[mode];
  return flags.every((bits) => (bits & forward) === 0 === ((bits & backward) === 0));
}
