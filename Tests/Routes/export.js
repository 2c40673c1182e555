// Writes a street graph and random ways on it as JSON, for other programs: `node export.js FILE.graph PAIRS`.

import { eliminate } from '../../public/js/routes/elimination.js';
import { joinPieces } from '../../public/js/routes/graph.js';
import { Hierarchy } from '../../public/js/routes/hierarchy.js';
import { MODES, modeBits } from '../../public/js/routes/modes.js';
import { readPieces } from '../Front/routes/archive.js';
import { randomNumbers, randomPlaces } from '../Front/routes/pieces.js';

const [path, count] = process.argv.slice(2);
const graph = joinPieces(readPieces(path));
const search = new Hierarchy(graph);
// The arcs of all streets together, for any mode.
const { nodeCount, edgeCount, firstEdge, heads } = graph;
const arcs = eliminate({ nodeCount, edgeCount, firstEdge, heads, flags: new Uint16Array(edgeCount).fill(1) }, 1).first[nodeCount];
const random = randomNumbers(1_967);
const costs = Int32Array.from(graph.lengths, (length) => Math.round(length * (1 + 9 * random() ** 3)));
const tails = new Int32Array(graph.edgeCount);
for (let node = 0; node < graph.nodeCount; node += 1) tails.fill(node, graph.firstEdge[node], graph.firstEdge[node + 1]);

/** The position at a share of an edge. */
function position({ edge, fraction }) {
  const points = graph.edgePoints(edge);
  const width = Math.cos((points[0][1] * Math.PI) / 180);
  const parts = points.slice(1).map(([x, y], index) => Math.hypot((x - points[index][0]) * width, y - points[index][1]));
  let rest = fraction * parts.reduce((sum, part) => sum + part, 0);
  for (const [index, part] of parts.entries()) {
    if (rest <= part || index === parts.length - 1) {
      const share = part > 0 ? rest / part : 0;
      return [0, 1].map((axis) => points[index][axis] + share * (points[index + 1][axis] - points[index][axis]));
    }
    rest -= part;
  }
  return points[0];
}

/** The ends of a place’s edge with their costs: those that can be reached from it, or from which it can be reached. */
function ends({ edge, fraction }, mode, metric, isStart) {
  const { forward, backward } = modeBits[mode];
  const part = (share) => Math.round(metric[edge] * share);
  const found = [];
  if (graph.flags[edge] & forward) {
    found.push(isStart ? [graph.heads[edge], part(1 - fraction)] : [tails[edge], part(fraction)]);
  }
  if (graph.flags[edge] & backward) {
    found.push(isStart ? [tails[edge], part(fraction)] : [graph.heads[edge], part(1 - fraction)]);
  }
  return found;
}

function ways(mode) {
  const places = randomPlaces(graph, mode, Number(count) + 1, random);
  const pairs = places.slice(1).map((to, index) => ({ from: places[index], to })).filter(({ from, to }) => from.edge !== to.edge);
  const found = pairs.map(({ from, to }) => ({ from: position(from), to: position(to) }));
  for (const [name, metric] of [['length', graph.lengths], ['cost', costs]]) {
    search.customise(mode, metric);
    pairs.forEach(({ from, to }, index) => {
      found[index][name] = search.query(from, to)?.cost ?? null;
      found[index][`${name}Ends`] = [ends(from, mode, metric, true), ends(to, mode, metric, false)];
    });
  }
  return found;
}

process.stdout.write(JSON.stringify({
  nodes: graph.nodeCount, tails: [...tails], heads: [...graph.heads], lengths: [...graph.lengths], costs: [...costs],
  flags: [...graph.flags], bits: modeBits, arcs,
  longitudes: Array.from(graph.longitudes, (x) => x / 1e6), latitudes: Array.from(graph.latitudes, (y) => y / 1e6),
  ways: Object.fromEntries(MODES.map((mode) => [mode, ways(mode)])),
}));
