// @ts-check
// A way step by step: where to turn, onto which street, and how far. Pure.

import { offset } from '../exposure/model.js';
import { wrapLongitude } from '../geography.js';
import { stepLength, stepPoints } from '../routes/way.js';

/** @typedef {import('../routes/graph.js').Graph} Graph */
/** @typedef {import('../routes/hierarchy.js').Step} Step */
/** @typedef {import('../types').Position} Position */
/**
 * @typedef {'start' | 'straight' | 'slight_left' | 'left' | 'sharp_left' | 'slight_right' | 'right' | 'sharp_right'
 *   | 'stop' | 'arrive'} Turn
 */
/**
 * @typedef {object} Direction
 * @property {Turn} turn
 * @property {string} name of the street; empty: none
 * @property {string} kind of the way
 * @property {number} metres until the next one
 * @property {Position} position
 */

const BENDS = [[30, 'straight'], [60, 'slight'], [130, '']];
const LEAST = 1; // metres
const NEW = 45; // degrees after which a way without a name is another one

/** @param {Graph} graph @param {Step[][]} legs between the stops @returns {Direction[]} */
export function directions(graph, legs) {
  /** @type {Direction[]} */
  const found = [];
  legs.forEach((all, leg) => {
    // A stop at a crossing begins and ends with a step of no length.
    const long = all.filter((step) => stepLength(graph, step) >= LEAST);
    const steps = long.length ? long : all;
    const lines = steps.map((step) => stepPoints(graph, step));
    steps.forEach((step, place) => {
      const metres = stepLength(graph, step);
      const [name, kind] = [graph.name(step.edge), graph.isSteps(step.edge) ? 'steps' : graph.kind(step.edge)];
      const bend = place ? wrapLongitude(heading(lines[place], false) - heading(lines[place - 1], true)) : 0;
      const last = found[found.length - 1];
      const isSame = place > 0 && last && last.kind === kind && last.name === name
        && (name !== '' || Math.abs(bend) < NEW);
      if (isSame) last.metres += metres;
      else found.push({ turn: place ? turnOf(bend) : 'start', name, kind, metres, position: lines[place][0] });
    });
    const end = lines[lines.length - 1];
    const isLast = leg === legs.length - 1;
    if (end) {
      found.push({ turn: isLast ? 'arrive' : 'stop', name: '', kind: '', metres: 0, position: end[end.length - 1] });
    }
  });
  return found;
}

/**
 * The direction of a line at its beginning or its end, in degrees.
 * @param {Position[]} line @param {boolean} isEnd
 */
function heading(line, isEnd) {
  const [from, to] = isEnd ? line.slice(-2) : line;
  if (!from || !to) return 0;
  const [east, north] = offset(from, to);
  return (Math.atan2(east, north) * 180) / Math.PI;
}

/** @param {number} bend degrees, to the right if positive @returns {Turn} */
function turnOf(bend) {
  const look = BENDS.find(([most]) => Math.abs(bend) < Number(most))?.[1] ?? 'sharp';
  if (look === 'straight') return 'straight';
  return /** @type {Turn} */ ([look, bend < 0 ? 'left' : 'right'].filter(Boolean).join('_'));
}
