// @ts-check
// The exposure model (docs/explanation/exposure.md): how much a device would collect about someone on a way. Pure. The
// same functions serve routes, the diary and «How watched is my way?».
//
// The exposure to one device is a length: the metres of a way, each multiplied by the strength at its place. The
// strength is 1 next to a device that is certainly there, and 0 where it does not reach or does not look.

import { METRES_PER_DEGREE, wrapLongitude } from '../geography.js';

/** @typedef {import('./sensor.js').Sensor} Sensor */
/** @typedef {import('../types').Position} Position */

const STEP = 4; // metres between two places at which a way is sampled
const SOFT = 10; // degrees over which the edge of a field of view fades: directions on the map are rough
const CELL = 0.002; // degrees of latitude of a cell of the index: about 220 m
const radians = Math.PI / 180;

/**
 * The strength of a device at a place near it, from 0 to 1.
 * @param {Sensor} sensor @param {number} east metres from the device @param {number} north
 */
export function strength(sensor, east, north) {
  const far = (east * east + north * north) / (sensor.range * sensor.range);
  if (far >= 1) return 0;
  return sensor.trust * (1 - far) * seen(sensor, east, north);
}

/**
 * The share of a place in the field of view, 0 to 1.
 * @param {Sensor} sensor @param {number} east @param {number} north
 */
function seen({ bearings, view }, east, north) {
  if (view >= 360 || !bearings.length) return 1;
  if (east * east + north * north < 1) return 1; // below the device
  const direction = Math.atan2(east, north) / radians;
  let most = 0;
  for (const bearing of bearings) {
    const aside = Math.abs(wrapLongitude(direction - bearing));
    most = Math.max(most, Math.min(1, Math.max(0, (view / 2 + SOFT - aside) / SOFT)));
  }
  return most;
}

/**
 * The exposure to one device on a straight piece of a way.
 * @typedef {object} Exposure
 * @property {number} metres
 * @property {number} nearest metres from the device at the strongest place; infinite: out of reach
 * @property {number} first the part of the piece within reach, as shares of the piece
 * @property {number} last
 */

/** @type {Exposure} */
const NONE = Object.freeze({ metres: 0, nearest: Infinity, first: 0, last: 0 });

/** @param {Sensor} sensor @param {Position} from @param {Position} to @returns {Exposure} */
export function exposureOnPiece(sensor, from, to) {
  const [x1, y1] = offset(sensor.position, from);
  const [x2, y2] = offset(sensor.position, to);
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = Math.hypot(dx, dy);
  // The part of the piece within reach.
  const [first, last] = within(x1, y1, dx, dy, sensor.range);
  if (first >= last) return length === 0 ? atPoint(sensor, x1, y1) : NONE;
  const count = Math.max(1, Math.ceil(((last - first) * length) / STEP));
  const part = (last - first) / count;
  let sum = 0;
  let best = 0;
  let share = 0;
  for (let i = 0; i < count; i += 1) {
    const at = first + (i + 0.5) * part;
    const here = strength(sensor, x1 + dx * at, y1 + dy * at);
    sum += here;
    if (here > best) [best, share] = [here, at];
  }
  if (!best) return NONE;
  const nearest = Math.hypot(x1 + dx * share, y1 + dy * share);
  return { metres: sum * part * length, nearest, first, last };
}

/**
 * A person at rest gives data as well, but no metres of way.
 * @param {Sensor} sensor @param {number} x @param {number} y @returns {Exposure}
 */
function atPoint(sensor, x, y) {
  return strength(sensor, x, y) ? { metres: 0, nearest: Math.hypot(x, y), first: 0, last: 1 } : NONE;
}

/**
 * The part of a piece inside a circle around the origin, as shares of the piece.
 * @param {number} x @param {number} y of its start @param {number} dx @param {number} dy @param {number} radius
 * @returns {[number, number]} the first not below the last if it touches no part
 */
function within(x, y, dx, dy, radius) {
  const a = dx * dx + dy * dy;
  if (a === 0) return [0, 0];
  const half = (x * dx + y * dy) / a;
  const under = half * half - (x * x + y * y - radius * radius) / a;
  if (under <= 0) return [0, 0];
  const root = Math.sqrt(under);
  return [Math.max(0, -half - root), Math.min(1, root - half)];
}

/**
 * A place as metres east and north of another one, across the antimeridian as well.
 * @param {Position} from @param {Position} to
 * @returns {[number, number]}
 */
export function offset(from, to) {
  const middle = ((from[1] + to[1]) / 2) * radians;
  return [wrapLongitude(to[0] - from[0]) * METRES_PER_DEGREE * Math.cos(middle), (to[1] - from[1]) * METRES_PER_DEGREE];
}

/**
 * Finds the devices near a piece of a way.
 */
export class SensorIndex {
  /** @param {readonly Sensor[]} sensors */
  constructor(sensors) {
    this.sensors = sensors;
    /** Metres that the farthest of these devices reaches. */
    this.reach = sensors.reduce((most, { range, isCoarse }) => (isCoarse ? most : Math.max(most, range)), 0);
    /** @type {Map<number, number[]>} the cell, and the numbers of its devices */
    this.cells = new Map();
    sensors.forEach((sensor, number) => {
      // A device whose place is known to a kilometre says nothing about one street.
      if (sensor.isCoarse) return;
      const key = keyOf(Math.floor((sensor.position[0] + 180) / CELL), Math.floor((sensor.position[1] + 90) / CELL));
      const cell = this.cells.get(key);
      if (cell) cell.push(number);
      else this.cells.set(key, [number]);
    });
  }

  /**
   * The numbers of the devices that may reach a piece, each once.
   * @param {Position} from @param {Position} to @param {number} [room] metres
   * @returns {number[]}
   */
  near(from, to, room = this.reach) {
    if (!this.cells.size) return [];
    const tall = room / METRES_PER_DEGREE;
    const south = Math.min(from[1], to[1]) - tall;
    const north = Math.max(from[1], to[1]) + tall;
    const wide = tall / Math.max(0.01, Math.cos(Math.min(89, Math.max(Math.abs(south), Math.abs(north))) * radians));
    const turn = wrapLongitude(to[0] - from[0]);
    const west = Math.min(from[0], from[0] + turn) - wide;
    const east = Math.max(from[0], from[0] + turn) + wide;
    /** @type {number[]} */
    const found = [];
    for (let y = Math.floor((south + 90) / CELL); y <= Math.floor((north + 90) / CELL); y += 1) {
      for (let x = Math.floor((west + 180) / CELL); x <= Math.floor((east + 180) / CELL); x += 1) {
        const cell = this.cells.get(keyOf(x, y));
        if (cell) found.push(...cell);
      }
    }
    return found;
  }
}

const COLUMNS = Math.round(360 / CELL);

/** @param {number} x @param {number} y */
function keyOf(x, y) { return y * COLUMNS + (((x % COLUMNS) + COLUMNS) % COLUMNS); }

/**
 * The exposure on a straight piece to each device near it.
 * @param {SensorIndex} index @param {Position} from @param {Position} to
 * @param {(number: number, found: Exposure) => void} take
 */
export function exposuresOnPiece(index, from, to, take) {
  for (const number of index.near(from, to)) {
    const found = exposureOnPiece(index.sensors[number], from, to);
    if (found.nearest < Infinity) take(number, found);
  }
}

/**
 * The devices that a way passes, the most exposing first.
 * @param {SensorIndex} index @param {readonly Position[]} way
 * @returns {{sensor: Sensor, metres: number, nearest: number}[]}
 */
export function passedOn(index, way) {
  /** @type {Map<number, {metres: number, nearest: number}>} */
  const passed = new Map();
  for (let i = 1; i < way.length; i += 1) {
    exposuresOnPiece(index, way[i - 1], way[i], (number, { metres, nearest }) => {
      const before = passed.get(number);
      if (before) Object.assign(before, { metres: before.metres + metres, nearest: Math.min(before.nearest, nearest) });
      else passed.set(number, { metres, nearest });
    });
  }
  return [...passed].map(([number, found]) => ({ sensor: index.sensors[number], ...found }))
    .sort((a, b) => b.metres - a.metres);
}

