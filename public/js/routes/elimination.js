// @ts-check
// The removal of all nodes in their order, without regard to costs. Pure. The removal of a node joins its higher
// neighbours with each other, by arcs.

/** @typedef {import('./graph.js').Graph} Graph */
/**
 * The arcs that are left at each node when all lower nodes are removed. The arcs of a node have their numbers from
 * `first[node]` to `first[node + 1]`, and lead to the nodes from `heads[lists[node]]`, in their order. Nodes share
 * lists: most lists are the end of the list of a lower node.
 * @typedef {{first: Int32Array, lists: Int32Array, heads: Int32Array}} Elimination
 */

/**
 * The higher neighbours of a node come from its edges and from its children. The parent of a node is its lowest
 * higher neighbour.
 * @param {Pick<Graph, 'nodeCount' | 'edgeCount' | 'firstEdge' | 'heads' | 'flags'>} graph
 * @param {number} bits of the flags of edges; edges without any of them are left out
 * @returns {Elimination}
 */
export function eliminate({ nodeCount, edgeCount, firstEdge, heads: edgeHeads, flags }, bits) {
  const [first, lists] = [new Int32Array(nodeCount + 1), new Int32Array(nodeCount)];
  let heads = new Int32Array(Math.max(16, edgeCount * 2));
  const [firstChild, nextChild] = [new Int32Array(nodeCount).fill(-1), new Int32Array(nodeCount)];
  // The last node for which a node was found, so that each is found once.
  const seen = new Int32Array(nodeCount).fill(-1);
  /** @type {number[]} those that are not in the longest list of a child */
  const added = [];
  let [arcs, used] = [0, 0];
  for (let node = 0; node < nodeCount; node += 1) {
    first[node] = arcs;
    let [longest, size] = [-1, 0];
    for (let child = firstChild[node]; child >= 0; child = nextChild[child]) {
      if (first[child + 1] - first[child] > size) [longest, size] = [child, first[child + 1] - first[child]];
    }
    // A list begins with the node itself.
    const rest = longest < 0 ? 0 : lists[longest] + 1;
    const end = rest + Math.max(0, size - 1);
    for (let place = rest; place < end; place += 1) seen[heads[place]] = node;
    seen[node] = node;
    added.length = 0;
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge += 1) {
      const head = edgeHeads[edge];
      if (!(flags[edge] & bits) || seen[head] === node) continue;
      seen[head] = node;
      added.push(head);
    }
    for (let child = firstChild[node]; child >= 0; child = nextChild[child]) {
      if (child === longest) continue;
      const last = lists[child] + first[child + 1] - first[child];
      for (let place = lists[child] + 1; place < last; place += 1) {
        if (seen[heads[place]] === node) continue;
        seen[heads[place]] = node;
        added.push(heads[place]);
      }
    }
    const count = end - rest + added.length;
    arcs += count;
    lists[node] = rest;
    if (added.length) {
      if (used + count > heads.length) heads = grown(heads, used + count);
      lists[node] = used;
      merge(heads, rest, end, added.sort((one, other) => one - other), used);
      used += count;
    }
    if (!count) continue;
    const parent = heads[lists[node]];
    nextChild[node] = firstChild[parent];
    firstChild[parent] = node;
  }
  first[nodeCount] = arcs;
  return { first, lists, heads: heads.slice(0, used) };
}

/**
 * @param {Int32Array} heads @param {number} from @param {number} end of a sorted part
 * @param {number[]} added sorted, and not in the part @param {number} to where both are written
 */
function merge(heads, from, end, added, to) {
  let [place, one, other] = [to, from, 0];
  while (one < end || other < added.length) {
    const isOne = other >= added.length || (one < end && heads[one] < added[other]);
    heads[place] = isOne ? heads[one] : added[other];
    if (isOne) one += 1; else other += 1;
    place += 1;
  }
}

/** @param {Int32Array} array @param {number} least */
function grown(array, least) {
  const larger = new Int32Array(Math.max(least, Math.ceil(array.length * 1.5)));
  larger.set(array);
  return larger;
}
