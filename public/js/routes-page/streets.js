// @ts-check
// The streets and the devices around some places: which pieces and cells to load, and the worker that computes.

import { getUnnamed, Refusal } from '../api.js';
import { decoyRandom, DECOYS, isHiding } from '../exposure/decoys.js';
import { sensorsOf } from '../exposure/devices.js';
import { fileAddress } from '../files.js';
import { RouteError } from '../routes/errors.js';
import { graphOf } from '../routes/fetch-pieces.js';
import { piecesAround, withDecoys } from '../routes/grid.js';
import { cellsOfPieces } from './areas.js';

/** @typedef {import('../routes/fetch-pieces.js').StreetGraph} StreetGraph */
/** @typedef {import('../routes/grid.js').Address} Address */
/** @typedef {import('../exposure/sensor.js').Sensor} Sensor */
/** @typedef {import('../types').Position} Position */
/** @typedef {import('./engine.js').Question} Question */
/** @typedef {import('./engine.js').Answer} Answer */
/**
 * @typedef {object} Waiting
 * @property {(value: any) => void} resolve @property {(error: unknown) => void} reject
 * @property {(share: number) => void} progress
 */
/** @typedef {(phase: 'streets' | 'devices' | 'way', share: number) => void} Progress */

export class Streets {
  constructor() {
    /** @type {Worker | null} */
    this.worker = null;
    this.number = 0;
    /** @type {Map<number, Waiting>} by the number of the order */
    this.waiting = new Map();
    /** The pieces that the worker has loaded. */
    this.key = '';
    /** @type {StreetGraph[] | null} */
    this.graphs = null;
    /** @type {number[]} */
    this.cells = [];
    /** @type {Sensor[]} */
    this.sensors = [];
  }

  /**
   * @param {Question} question @param {Progress} progress
   * @returns {Promise<Answer>}
   * @throws {RouteError | Refusal | import('../api.js').Outage}
   */
  async answer(question, progress) {
    await this.load(question.stops, progress);
    progress('way', 0);
    return this.ask({ type: 'answer', question });
  }

  /** @param {Position[]} stops @param {Progress} progress */
  async load(stops, progress) {
    this.graphs ??= await graphList();
    const graph = graphOf(this.graphs, stops);
    const real = piecesAround(stops, graph.bounds);
    const name = JSON.stringify([graph.id, real]);
    const pieces = isHiding() ? withDecoys(real, graph.bounds, DECOYS, decoyRandom(name)) : real;
    const key = JSON.stringify([graph.id, pieces]);
    if (key === this.key) return;
    this.key = '';
    try {
      await this.ask({ type: 'load', url: graph.url, pieces, real }, (share) => progress('streets', share));
    } catch (error) {
      // The server may have other files of streets by now: the next try asks for their list.
      this.graphs = null;
      throw error;
    }
    await this.loadDevices(pieces, false, progress);
    this.key = key;
  }

  /**
   * The devices of the cells around the pieces, decoys included: the requests depend on the pieces alone.
   * @param {Address[]} pieces @param {boolean} isFresh @param {Progress} progress
   */
  async loadDevices(pieces, isFresh, progress) {
    const cells = cellsOfPieces(pieces);
    if (!cells) throw new RouteError('too-far');
    this.cells = cells;
    await this.refresh(isFresh, progress);
  }

  /** @param {boolean} isFresh @param {Progress} progress */
  async refresh(isFresh, progress) {
    this.sensors = await sensorsOf(this.cells, {
      isFresh, isHidden: true, progress: (share) => progress('devices', share),
    });
    await this.ask({ type: 'sensors', sensors: this.sensors });
  }

  /**
   * @param {any} order @param {(share: number) => void} [progress]
   * @returns {Promise<any>}
   */
  ask(order, progress = () => undefined) {
    const worker = this.worker ?? this.start();
    this.number += 1;
    const { number } = this;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject, progress });
      worker.postMessage({ ...order, number });
    });
  }

  start() {
    const worker = new Worker(fileAddress('js/routes-page/worker.js'), { type: 'module' });
    let isStarted = false;
    worker.onmessage = ({ data }) => {
      isStarted = true;
      const reply = /** @type {import('./worker.js').Reply} */ (data);
      const asked = this.waiting.get(reply.number);
      if (reply.type === 'progress') {
        asked?.progress(reply.share);
        return;
      }
      this.waiting.delete(reply.number);
      if (reply.type === 'done') asked?.resolve(reply.result);
      else asked?.reject(new RouteError(reply.code, reply.detail));
    };
    // The worker has no memory left, or its script did not load: a new one begins with the next question.
    worker.onerror = () => {
      worker.terminate();
      this.worker = null;
      this.key = '';
      for (const { reject } of this.waiting.values()) reject(new RouteError(isStarted ? 'memory' : 'load'));
      this.waiting.clear();
    };
    this.worker = worker;
    return worker;
  }
}

/** @returns {Promise<StreetGraph[]>} */
async function graphList() {
  try {
    return (await getUnnamed('/api/street-graphs')).body.graphs;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return [];
    throw error;
  }
}
