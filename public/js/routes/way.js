// @ts-check
// The lines and lengths of ways. Pure.

/** @typedef {import('../types').Position} Position */
/** @typedef {import('./graph.js').Graph} Graph */
/** @typedef {import('./hierarchy.js').Step} Step */

/**
 * @param {Graph} graph @param {Step} step
 * @returns {number} metres
 */
export const stepLength = (graph, { edge, from, to }) => graph.length(edge) * Math.abs(to - from);

/**
 * @param {Graph} graph @param {Step[]} steps
 * @returns {number} metres
 */
export const wayLength = (graph, steps) => steps.reduce((sum, step) => sum + stepLength(graph, step), 0);

/**
 * The positions of a step in the direction of the way.
 * @param {Graph} graph @param {Step} step
 * @returns {Position[]}
 */
export function stepPoints(graph, { edge, from, to }) {
  const points = cut(graph.edgePoints(edge), Math.min(from, to), Math.max(from, to));
  return from > to ? points.reverse() : points;
}

/**
 * The line of a way; points that two steps share are there once.
 * @param {Graph} graph @param {Step[]} steps
 * @returns {Position[]}
 */
export function wayPoints(graph, steps) {
  /** @type {Position[]} */
  const line = [];
  for (const step of steps) {
    for (const point of stepPoints(graph, step)) {
      const last = line.at(-1);
      if (!last || last[0] !== point[0] || last[1] !== point[1]) line.push(point);
    }
  }
  return line;
}

/**
 * The part of a line between two shares of its length.
 * @param {Position[]} points @param {number} from @param {number} to
 * @returns {Position[]}
 */
function cut(points, from, to) {
  if (from <= 0 && to >= 1) return points;
  const width = Math.cos((points[0][1] * Math.PI) / 180);
  const parts = points.slice(1).map(([x, y], index) => (
    Math.hypot((x - points[index][0]) * width, y - points[index][1])));
  const length = parts.reduce((sum, part) => sum + part, 0);
  const at = (/** @type {number} */ share) => {
    let rest = share * length;
    let index = 0;
    while (index < parts.length - 1 && rest > parts[index]) {
      rest -= parts[index];
      index += 1;
    }
    const [start, end] = [points[index], points[index + 1]];
    const part = parts[index] > 0 ? Math.max(0, Math.min(1, rest / parts[index])) : 0;
    /** @type {Position} */
    const position = [start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])];
    return { index, position };
  };
  const [start, end] = [at(from), at(to)];
  return [start.position, ...points.slice(start.index + 1, end.index + 1), end.position];
}
