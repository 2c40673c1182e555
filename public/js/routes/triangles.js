// @ts-check
// The inner loops of the customisation: two arcs of a lower node and the arc between their heads. Pure.

/**
 * Not possible. Two of them still fit into 31 bits, so sums need no check.
 */
export const MAX_COST = 1_000_000_000;

/**
 * Takes the ways over a lower node as costs of the arcs between its higher nodes: from the head of one arc to heads of
 * the arcs after it, and back.
 * @param {Int32Array} there the costs from the head of the first arc to each node @param {Int32Array} back
 * @param {Uint8Array} thereOver @param {Uint8Array} backOver @param {number} lower
 * @param {Int32Array} up @param {Int32Array} down the costs of the arcs of the lower node
 * @param {Int32Array} heads @param {number} list where its heads begin, less its first arc
 * @param {number} first its arc to the node @param {number} end of its arcs
 */
export function relax(there, back, thereOver, backOver, lower, up, down, heads, list, first, end) {
  const toLower = down[first];
  const fromLower = up[first];
  if (toLower >= MAX_COST && fromLower >= MAX_COST) return;
  for (let arc = first + 1; arc < end; arc += 1) {
    const head = heads[list + arc];
    const cost = toLower + up[arc];
    const backCost = down[arc] + fromLower;
    if (cost < there[head]) {
      there[head] = cost;
      thereOver[head] = lower;
    }
    if (backCost < back[head]) {
      back[head] = backCost;
      backOver[head] = lower;
    }
  }
}

/**
 * The same if both directions cost the same.
 * @param {Int32Array} there @param {Uint8Array} over @param {number} lower @param {Int32Array} costs
 * @param {Int32Array} heads @param {number} list @param {number} first @param {number} end
 */
export function relaxSame(there, over, lower, costs, heads, list, first, end) {
  const toLower = costs[first];
  if (toLower >= MAX_COST) return;
  for (let arc = first + 1; arc < end; arc += 1) {
    const cost = toLower + costs[arc];
    const head = heads[list + arc];
    if (cost < there[head]) {
      there[head] = cost;
      over[head] = lower;
    }
  }
}

/**
 * Moves the costs of a node to its arcs.
 * @param {Int32Array} found @param {Uint8Array} foundOver @param {Int32Array} costs @param {Uint8Array} over
 * @param {Int32Array} heads @param {number} list @param {number} begin @param {number} end
 */
export function keep(found, foundOver, costs, over, heads, list, begin, end) {
  for (let arc = begin; arc < end; arc += 1) {
    const head = heads[list + arc];
    costs[arc] = found[head];
    over[arc] = foundOver[head];
    found[head] = MAX_COST;
  }
}
