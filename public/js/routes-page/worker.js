// @ts-check
// Loads streets and computes ways in a worker, so that the page does not block.

import { RouteError, routeFault } from '../routes/errors.js';
import { fetchPieces } from '../routes/fetch-pieces.js';
import { RouteEngine } from './engine.js';

/** @typedef {import('../exposure/sensor.js').Sensor} Sensor */
/** @typedef {import('../routes/grid.js').Address} Address */
/** @typedef {import('../routes/errors.js').FaultCode} FaultCode */
/**
 * Messages from the page. `pieces` has decoys, `real` is what the way needs.
 * @typedef {{number: number} & ({type: 'load', url: string, pieces: Address[], real: Address[]}
 *   | {type: 'sensors', sensors: Sensor[]}
 *   | {type: 'answer', question: import('./engine.js').Question})} Order
 */
/**
 * Messages to the page, with the number of the order.
 * @typedef {{number: number} & ({type: 'progress', share: number} | {type: 'done', result: any}
 *   | {type: 'fault', code: FaultCode, detail: string})} Reply
 */

/** @type {RouteEngine | null} */
let engine = null;

/** @param {Order} order */
async function act(order) {
  if (order.type === 'load') {
    engine = null;
    const pieces = await fetchPieces({ url: order.url }, order.pieces, {
      progress: (done, all) => reply({ number: order.number, type: 'progress', share: done / all }),
    });
    const real = new Set(order.real.map(({ x, y }) => `${x}/${y}`));
    const own = pieces.filter(({ x, y }) => real.has(`${x}/${y}`));
    if (!own.length) throw new RouteError('no-streets');
    engine = new RouteEngine(own);
    return { edges: engine.graph.edgeCount };
  }
  if (!engine) throw new RouteError('load');
  if (order.type === 'sensors') return engine.setSensors(order.sensors);
  return engine.answer(order.question);
}

/** @param {Reply} message */
function reply(message) { postMessage(message); }

addEventListener('message', async ({ data }) => {
  const order = /** @type {Order} */ (data);
  try {
    reply({ number: order.number, type: 'done', result: await act(order) });
  } catch (error) {
    const fault = routeFault(error);
    reply({ number: order.number, type: 'fault', code: fault.code, detail: fault.detail });
    if (fault.code === 'failed') reportError(error);
  }
});
