// @ts-check
// The ways of moving, and how fast they are. Pure.

/** @typedef {'walking' | 'wheelchair' | 'cycling' | 'driving'} Mode */
/** @typedef {import('./graph.js').Graph} Graph */

/** @type {readonly Mode[]} */
export const MODES = ['walking', 'wheelchair', 'cycling', 'driving'];

/**
 * The bits of an edge’s flags that allow a mode from its tail to its head, and back.
 * @type {Readonly<Record<Mode, {forward: number, backward: number}>>}
 */
export const modeBits = {
  walking: { forward: 1, backward: 2 },
  wheelchair: { forward: 4, backward: 8 },
  cycling: { forward: 16, backward: 32 },
  driving: { forward: 64, backward: 128 },
};

// Metres a second. Walking: Bohannon and Williams Andrews 2011 (1.2 to 1.4 for adults). Wheelchair: Sonenblum and
// others 2012 (0.8 to 1.2 outdoors). Cycling: 16 km/h, the default of OSRM and Valhalla’s “hybrid” on level ways.
const WALKING = 1.35;
const WHEELCHAIR = 1;
const CYCLING = 4.4;
/** Stairs take twice as long as their length on the level (Fujiyama and Tyler 2010). */
const STEPS = 0.6;
/** A bicycle is pushed where only walking is usual. */
const PUSHED = 1.2;
/** Of the permitted speed, with junctions and traffic. */
const USUAL_SHARE = 0.7;

/**
 * The usual speed on an edge, in metres a second.
 * @param {Graph} graph @param {number} edge @param {Mode} mode
 * @returns {number}
 */
export function speed(graph, edge, mode) {
  if (mode === 'driving') return (Math.max(5, graph.maxSpeed(edge)) / 3.6) * USUAL_SHARE;
  if (graph.isSteps(edge)) return mode === 'cycling' ? STEPS / 2 : STEPS;
  if (mode === 'cycling') return graph.kind(edge) === 'pedestrian' ? PUSHED : CYCLING;
  return mode === 'wheelchair' ? WHEELCHAIR : WALKING;
}
