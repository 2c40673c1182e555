// @ts-check
// The devices passed on recorded pieces of way, with times. Pure.

import { distance } from '../geography.js';
import { exposuresOnPiece } from '../exposure/model.js';

/** @typedef {import('../exposure/model.js').SensorIndex} SensorIndex */
/** @typedef {import('./points.js').Points} Points */
/**
 * A time within the reach of a device.
 * @typedef {object} Pass
 * @property {string} device
 * @property {number} from milliseconds since 1970 @property {number} to
 * @property {number} nearest metres
 */
/** @typedef {{passes: Pass[], metres: Record<string, number>}} Passing `metres` on the way, by day */

const AGAIN = 600_000; // milliseconds out of reach, after which a device is passed again

/**
 * @param {Points} points @param {readonly [number, number][]} pieces @param {SensorIndex} index
 * @param {(time: number) => string} dayOf the local day of a time
 * @param {(share: number) => void} [progress]
 * @returns {Passing}
 */
export function passesOf(points, pieces, index, dayOf, progress) {
  /** @type {Map<number, Pass[]>} by the number of the device */
  const passed = new Map();
  /** @type {Record<string, number>} */
  const metres = {};
  const note = (/** @type {number} */ number, /** @type {Pass} */ pass) => {
    const before = passed.get(number);
    const last = before?.[before.length - 1];
    if (last && pass.from - last.to <= AGAIN && pass.from >= last.from) {
      last.to = Math.max(last.to, pass.to);
      last.nearest = Math.min(last.nearest, pass.nearest);
    } else if (before) {
      before.push(pass);
    } else {
      passed.set(number, [pass]);
    }
  };
  pieces.forEach(([first, end], place) => {
    if (place % 1_000 === 0) progress?.(place / pieces.length);
    for (let i = first; i < Math.max(end - 1, first + 1); i += 1) {
      // A piece of one point: the person was there at that moment.
      const next = Math.min(i + 1, end - 1);
      const [from, to] = [points.position(i), points.position(next)];
      const [start, time] = [points.times[i], points.times[next] - points.times[i]];
      const day = dayOf(start);
      metres[day] = (metres[day] ?? 0) + distance(from, to);
      exposuresOnPiece(index, from, to, (number, { nearest, first: near, last }) => note(number, {
        device: index.sensors[number].id, from: start + time * near, to: start + time * last, nearest,
      }));
    }
  });
  return { passes: [...passed.values()].flat().sort((a, b) => a.from - b.from), metres };
}

/**
 * The local day of a time as ISO 8601, remembering the last quarter of an hour: a file has millions of times.
 * @returns {(time: number) => string}
 */
export function localDays() {
  const QUARTER = 900_000; // milliseconds; no zone begins a day within a quarter of an hour
  let last = NaN;
  let day = '';
  return (time) => {
    const quarter = Math.floor(time / QUARTER);
    if (quarter !== last) {
      last = quarter;
      day = localDay(new Date(time));
    }
    return day;
  };
}

/** @param {Date} date @returns {string} ISO 8601, in the zone of the browser */
export function localDay(date) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
