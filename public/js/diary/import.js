// @ts-check
// Reads a file with a recorded way into passes: the worker reads and compares, the page fetches the devices of whole
// cells.

import { Outage } from '../api.js';
import { sensorsOf } from '../exposure/devices.js';
import { fileAddress } from '../files.js';
import { FileFault } from './faults.js';

/** @typedef {import('../exposure/sensor.js').Sensor} Sensor */
/** @typedef {import('./points.js').Faults} Faults */
/** @typedef {import('./worker.js').Answer} Answer */
/** @typedef {import('./worker.js').Order} Order */
/**
 * @typedef {object} Reading
 * @property {import('./passes.js').Passing} passing
 * @property {Sensor[]} sensors
 * @property {Faults} faults
 * @property {boolean} isBroken whether the file ends in the middle
 */
/** @typedef {'file' | 'devices' | 'compare'} Phase */

/**
 * @param {Blob} file
 * @param {{progress: (phase: Phase, share: number) => void, signal: AbortSignal}} options
 * @returns {Promise<Reading>}
 * @throws {FileFault | import('../api.js').Refusal | import('../api.js').Outage | DOMException} the last one if stopped
 */
export async function readFileTrack(file, { progress, signal }) {
  const worker = new Worker(fileAddress('js/diary/worker.js'), { type: 'module' });
  const stop = () => worker.terminate();
  signal.addEventListener('abort', stop);
  try {
    const found = await asked(worker, { type: 'read', file, now: Date.now() }, 'cells', signal,
      (share) => progress('file', share));
    const sensors = await sensorsOf(found.cells, { progress: (share) => progress('devices', share) });
    const { passing } = await asked(worker, { type: 'match', sensors }, 'done', signal,
      (share) => progress('compare', share));
    return { passing, sensors, faults: found.faults, isBroken: found.isBroken };
  } finally {
    signal.removeEventListener('abort', stop);
    worker.terminate();
  }
}

/**
 * @template {'cells' | 'done'} Type
 * @param {Worker} worker @param {Order} order @param {Type} wanted @param {AbortSignal} signal
 * @param {(share: number) => void} progress
 * @returns {Promise<Extract<Answer, {type: Type}>>}
 */
function asked(worker, order, wanted, signal, progress) {
  return new Promise((resolve, reject) => {
    const stopped = () => reject(new DOMException('Stopped', 'AbortError'));
    if (signal.aborted) stopped();
    signal.addEventListener('abort', stopped, { once: true });
    worker.onmessage = ({ data }) => {
      const answer = /** @type {Answer} */ (data);
      if (answer.type === 'progress') progress(answer.share);
      else if (answer.type === 'fault') reject(new FileFault(answer.code));
      else if (answer.type === wanted) resolve(/** @type {Extract<Answer, {type: Type}>} */ (answer));
    };
    // Without a connection its file did not load; otherwise it has no memory left.
    worker.onerror = () => reject(navigator.onLine ? new FileFault('unreadable') : new Outage());
    worker.postMessage(order);
  });
}
