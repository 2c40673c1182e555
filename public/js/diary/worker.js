// @ts-check
// Reads a file and finds the passed devices in a worker, so that a large file does not block the page. The file never
// leaves the browser: the worker asks the page for the devices of whole cells only.

import { cellsOfWays } from '../exposure/regions.js';
import { SensorIndex } from '../exposure/model.js';
import { FileFault } from './faults.js';
import { localDays, passesOf } from './passes.js';
import { TrackReader } from './read.js';

/** @typedef {import('../exposure/sensor.js').Sensor} Sensor */
/** @typedef {import('./points.js').Points} Points */
/** @typedef {import('./points.js').Faults} Faults */
/**
 * Messages to the page.
 * @typedef {{type: 'progress', share: number}
 *   | {type: 'cells', cells: number[], faults: Faults, isBroken: boolean}
 *   | {type: 'done', passing: import('./passes.js').Passing}
 *   | {type: 'fault', code: import('./faults.js').FaultCode}} Answer
 */
/**
 * Messages from the page.
 * @typedef {{type: 'read', file: Blob, now: number} | {type: 'match', sensors: Sensor[]}} Order
 */

const STEP = 250; // milliseconds between two reports of progress

/** @type {{points: Points, pieces: [number, number][]} | null} */
let read = null;
let told = 0;

/** @param {Answer} message */
const say = (message) => postMessage(message);

/** @param {number} share */
function progress(share) {
  const now = performance.now();
  if (now - told < STEP) return;
  told = now;
  say({ type: 'progress', share });
}

/** @param {Blob} file @param {number} now */
async function readTrack(file, now) {
  const reader = new TrackReader(now);
  const stream = file.stream().getReader();
  const decoder = new TextDecoder();
  let done = 0;
  for (;;) {
    const part = await stream.read();
    if (part.done) break;
    reader.push(decoder.decode(part.value, { stream: true }));
    done += part.value.length;
    progress(done / Math.max(1, file.size));
  }
  reader.push(decoder.decode());
  const { points, isBroken } = reader.end();
  const pieces = points.pieces();
  const cells = cellsOfWays(days(points, pieces));
  if (!cells) throw new FileFault('too_far');
  read = { points, pieces };
  say({ type: 'cells', cells, faults: points.faults, isBroken });
}

/**
 * The positions of each day: a region for each day, because a journey of a year has no middle.
 * @param {Points} points @param {[number, number][]} pieces
 * @returns {Iterable<Iterable<import('../types').Position>>}
 */
function days(points, pieces) {
  const dayOf = localDays();
  /** @type {Map<string, [number, number][]>} */
  const byDay = new Map();
  for (const [first, end] of pieces) {
    let start = first;
    for (let i = first + 1; i <= end; i += 1) {
      if (i < end && dayOf(points.times[i]) === dayOf(points.times[start])) continue;
      const day = dayOf(points.times[start]);
      const ranges = byDay.get(day) ?? [];
      ranges.push([start, i]);
      byDay.set(day, ranges);
      start = i;
    }
  }
  return [...byDay.values()].map((ranges) => positions(points, ranges));
}

/** @param {Points} points @param {[number, number][]} ranges */
function* positions(points, ranges) {
  for (const [first, end] of ranges) for (let i = first; i < end; i += 1) yield points.position(i);
}

/** @param {Sensor[]} sensors */
function match(sensors) {
  if (!read) return;
  const { points, pieces } = read;
  say({ type: 'done', passing: passesOf(points, pieces, new SensorIndex(sensors), localDays(), progress) });
}

addEventListener('message', async ({ data }) => {
  const order = /** @type {Order} */ (data);
  try {
    if (order.type === 'read') await readTrack(order.file, order.now);
    else match(order.sensors);
  } catch (error) {
    if (error instanceof FileFault) say({ type: 'fault', code: error.code });
    else if (error instanceof RangeError) say({ type: 'fault', code: 'too_large' });
    else if (error instanceof DOMException) say({ type: 'fault', code: 'unreadable' });
    // The page learns of it as an error of the worker.
    else reportError(error);
  }
});
