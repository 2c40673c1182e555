// @ts-check
// The search for ways: customizable contraction hierarchies (Dibbelt, Strasser and Wagner 2016). The order of the nodes
// comes from the file and is that of nested dissection. It is valid for any part of the streets: on fewer nodes, the
// same order has fewer shortcuts. Pure. docs/decisions/0039 has the figures.

import { modeBits } from './modes.js';

/** @typedef {import('./graph.js').Graph} Graph */
/** @typedef {import('./modes.js').Mode} Mode */
/** @typedef {import('./snap.js').Snap} Snap */

/**
 * A part of an edge. `from` and `to` are shares of the edge’s length, both from its tail: `from` is larger than `to` on
 * the way back.
 * @typedef {{edge: number, isForward: boolean, from: number, to: number}} Step
 */

/**
 * Not possible. Two of them still fit into 31 bits, so sums need no check.
 */
export const MAX_COST = 1_000_000_000;

/**
 * The costs of the shortest way: lengths in decimetres.
 * @param {Graph} graph
 * @returns {Int32Array}
 */
export const lengthCosts = (graph) => graph.lengths;

/** The hierarchy of a graph: it is made once, and customised for each mode and each change of the costs. */
export class Hierarchy {
  /** The edges to each node from lower ones: where their tails begin, and the tails. */
  #below;

  /** @param {Graph} graph */
  constructor(graph) {
    /** @readonly */ this.graph = graph;
    const { first, heads } = contract(graph);
    /** The first arc of each node, and their end. Arcs lead from a node to a higher one. */
    this.first = first;
    this.heads = heads;
    /** The costs of an arc to its higher node, and back; one array while both are equal. */
    this.up = new Int32Array(heads.length);
    this.down = this.up;
    this.#below = lowerEnds(graph);
    // The distances of a query, MAX_COST between queries. The customisation uses the same memory.
    this.scratch = [0, 1].map(() => new Int32Array(graph.nodeCount).fill(MAX_COST));
    /** @type {{mode: Mode, costs: ArrayLike<number>, backwardCosts: ArrayLike<number>}} */
    this.metric = { mode: 'walking', costs: graph.lengths, backwardCosts: graph.lengths };
  }

  /** The number of arcs: edges and shortcuts. */
  get arcCount() {
    return this.heads.length;
  }

  /** The memory of the arrays, in bytes, without those of the graph. */
  get bytes() {
    const { first, heads, up, down, scratch } = this;
    return [first, heads, up, ...down === up ? [] : [down], ...scratch, this.#below.first, this.#below.tails]
      .reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /**
   * Sets the costs. Whole numbers from 0 to {@link MAX_COST}, one for each edge, in decimetres of length.
   * @param {Mode} mode @param {ArrayLike<number>} costs from the tail to the head
   * @param {ArrayLike<number>} [backwardCosts] from the head to the tail
   */
  customise(mode, costs, backwardCosts = costs) {
    this.metric = { mode, costs, backwardCosts };
    const isSame = costs === backwardCosts && isTwoWay(this.graph, mode);
    if (isSame) this.down = this.up;
    else if (this.down === this.up) this.down = new Int32Array(this.up.length);
    const { first, heads, up, down, graph: { nodeCount } } = this;
    // Each lower node waits in the list of the node to which its next arc leads: `firstLower` begins the list of a
    // node, `nextLower` links it, and `place` is the next arc. So each node meets exactly the lower nodes that it
    // needs, when their costs are final, without a list of triangles.
    const [arcTo, firstLower] = this.scratch;
    const [nextLower, place] = [new Int32Array(nodeCount), new Int32Array(nodeCount)];
    firstLower.fill(-1);
    for (let node = 0; node < nodeCount; node += 1) {
      const [begin, end] = [first[node], first[node + 1]];
      for (let arc = begin; arc < end; arc += 1) {
        arcTo[heads[arc]] = arc;
        up[arc] = MAX_COST;
        down[arc] = MAX_COST;
      }
      this.#takeEdges(node, arcTo);
      let lower = firstLower[node];
      while (lower >= 0) {
        const next = nextLower[lower];
        const arc = place[lower];
        const last = first[lower + 1];
        if (isSame) relaxSame(up, heads, arcTo, arc, last);
        else relax(up, down, heads, arcTo, arc, last);
        if (arc + 1 < last) {
          place[lower] = arc + 1;
          const head = heads[arc + 1];
          nextLower[lower] = firstLower[head];
          firstLower[head] = lower;
        }
        lower = next;
      }
      if (begin < end) {
        place[node] = begin;
        nextLower[node] = firstLower[heads[begin]];
        firstLower[heads[begin]] = node;
      }
    }
    arcTo.fill(MAX_COST);
    firstLower.fill(MAX_COST);
  }

  /**
   * The costs of the edges of a node as those of its arcs.
   * @param {number} node @param {Int32Array} arcTo the arc to each higher node
   */
  #takeEdges(node, arcTo) {
    const { up, down, graph: { firstEdge, heads, flags }, metric: { mode, costs, backwardCosts } } = this;
    const { forward, backward } = modeBits[mode];
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge += 1) {
      const arc = arcTo[heads[edge]];
      if (flags[edge] & forward && costs[edge] < up[arc]) up[arc] = costs[edge];
      if (flags[edge] & backward && backwardCosts[edge] < down[arc]) down[arc] = backwardCosts[edge];
    }
  }

  /**
   * The way with the least cost.
   * @param {Snap} from @param {Snap} to
   * @returns {{cost: number, steps: Step[]} | null} null if there is none
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
      for (const [lower, arc] of there.arcs.reverse()) this.#unpack(lower, arc, true, steps);
      for (const [lower, arc] of back.arcs) this.#unpack(lower, arc, false, steps);
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
    const { first, heads } = this;
    for (const { node, cost } of ends) distances[node] = Math.min(distances[node], cost);
    /** @type {number[]} */
    const path = [];
    let [one, other] = [ends[0]?.node ?? Infinity, ends[1]?.node ?? Infinity];
    while (one < Infinity || other < Infinity) {
      const node = Math.min(one, other);
      path.push(node);
      const [begin, end] = [first[node], first[node + 1]];
      const distance = distances[node];
      if (distance < MAX_COST) {
        for (let arc = begin; arc < end; arc += 1) {
          const sum = distance + costs[arc];
          if (sum < distances[heads[arc]]) distances[heads[arc]] = sum;
        }
      }
      const parent = begin < end ? heads[begin] : Infinity;
      if (one === node) one = parent;
      if (other === node) other = parent;
    }
    return path;
  }

  /**
   * The arcs from a node down to the end that its distance comes from, each with its lower node.
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
      node = path[place];
      arcs.push([node, arc]);
    }
  }

  /**
   * The arc between two nodes, or -1.
   * @param {number} lower @param {number} higher
   */
  #arc(lower, higher) {
    let [low, high] = [this.first[lower], this.first[lower + 1]];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.heads[middle] < higher) low = middle + 1; else high = middle;
    }
    return low < this.first[lower + 1] && this.heads[low] === higher ? low : -1;
  }

  /**
   * Adds the edges of an arc: its own, or those of the two arcs through a lower node.
   * @param {number} lower the lower node @param {number} arc @param {boolean} isUp from the lower node
   * @param {Step[]} steps
   */
  #unpack(lower, arc, isUp, steps) {
    const { up, down, heads } = this;
    const cost = isUp ? up[arc] : down[arc];
    const edge = this.#edge(lower, heads[arc], isUp, cost);
    if (edge >= 0) {
      steps.push({ edge, isForward: isUp, from: isUp ? 0 : 1, to: isUp ? 1 : 0 });
      return;
    }
    // A lower node with an arc to this one is on the way up the elimination tree from the tail of an edge.
    for (let place = this.#below.first[lower]; place < this.#below.first[lower + 1]; place += 1) {
      for (let middle = this.#below.tails[place]; middle < lower; middle = heads[this.first[middle]]) {
        const [one, other] = [this.#arc(middle, lower), this.#arc(middle, heads[arc])];
        if (other >= 0 && cost === (isUp ? down[one] + up[other] : down[other] + up[one])) {
          this.#unpack(middle, isUp ? one : other, false, steps);
          this.#unpack(middle, isUp ? other : one, true, steps);
          return;
        }
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
 * Removes the nodes one after the other and joins the higher neighbours of each, without regard to costs. The higher
 * neighbours of a node are those of its edges and those of its children, for which it is the lowest neighbour.
 * @param {Graph} graph
 * @returns {{first: Int32Array, heads: Int32Array}}
 */
function contract({ nodeCount, edgeCount, firstEdge, heads: edgeHeads }) {
  const first = new Int32Array(nodeCount + 1);
  let heads = new Int32Array(Math.max(16, edgeCount * 2));
  const [firstChild, nextChild] = [new Int32Array(nodeCount).fill(-1), new Int32Array(nodeCount)];
  // The last node for which a node was found, so that each is found once.
  const seen = new Int32Array(nodeCount).fill(-1);
  let count = 0;
  for (let node = 0; node < nodeCount; node += 1) {
    first[node] = count;
    seen[node] = node;
    const add = (/** @type {number} */ head) => {
      if (seen[head] === node) return;
      seen[head] = node;
      if (count === heads.length) heads = grown(heads);
      heads[count] = head;
      count += 1;
    };
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge += 1) add(edgeHeads[edge]);
    for (let child = firstChild[node]; child >= 0; child = nextChild[child]) {
      for (let arc = first[child]; arc < first[child + 1]; arc += 1) add(heads[arc]);
    }
    if (count === first[node]) continue;
    heads.subarray(first[node], count).sort();
    const parent = heads[first[node]];
    nextChild[node] = firstChild[parent];
    firstChild[parent] = node;
  }
  first[nodeCount] = count;
  return { first, heads: heads.slice(0, count) };
}

/** @param {Int32Array} array */
function grown(array) {
  const larger = new Int32Array(Math.ceil(array.length * 1.5));
  larger.set(array);
  return larger;
}

/**
 * The tails of the edges to each node.
 * @param {Graph} graph
 */
function lowerEnds({ nodeCount, firstEdge, heads }) {
  const first = new Int32Array(nodeCount + 1);
  for (const head of heads) first[head + 1] += 1;
  for (let node = 0; node < nodeCount; node += 1) first[node + 1] += first[node];
  const next = first.slice();
  const tails = new Int32Array(heads.length);
  for (let node = 0; node < nodeCount; node += 1) {
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge += 1) {
      tails[next[heads[edge]]] = node;
      next[heads[edge]] += 1;
    }
  }
  return { first, tails };
}

/**
 * Whether every street of a mode can be used in both directions, as usually when walking.
 * @param {Graph} graph @param {Mode} mode
 */
function isTwoWay({ flags }, mode) {
  const { forward, backward } = modeBits[mode];
  return flags.every((bits) => (bits & forward) === 0 === ((bits & backward) === 0));
}

/**
 * Takes the ways over a lower node as costs of the arcs between its higher nodes: from the head of one arc to those of
 * the arcs after it, and back.
 * @param {Int32Array} up @param {Int32Array} down @param {Int32Array} heads
 * @param {Int32Array} arcTo the arc from the head of the first to each higher node
 * @param {number} arc the first @param {number} end
 */
function relax(up, down, heads, arcTo, arc, end) {
  const [there, back] = [up[arc], down[arc]];
  if (there >= MAX_COST && back >= MAX_COST) return;
  for (let other = arc + 1; other < end; other += 1) {
    const target = arcTo[heads[other]];
    const upward = back + up[other];
    const downward = down[other] + there;
    if (upward < up[target]) up[target] = upward;
    if (downward < down[target]) down[target] = downward;
  }
}

/**
 * The same if both directions cost the same.
 * @param {Int32Array} costs @param {Int32Array} heads @param {Int32Array} arcTo @param {number} arc @param {number} end
 */
function relaxSame(costs, heads, arcTo, arc, end) {
  const first = costs[arc];
  if (first >= MAX_COST) return;
  for (let other = arc + 1; other < end; other += 1) {
    const target = arcTo[heads[other]];
    const sum = first + costs[other];
    if (sum < costs[target]) costs[target] = sum;
  }
}
