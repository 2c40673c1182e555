// @ts-check
// Answers questions for a way in loaded streets: the shortest way, and one that avoids devices and is at most so much
// longer. Pure; runs in a worker.

import { exposureFor, exposureOfEdges, MAX_PRICE, priceOf } from '../exposure/edges.js';
import { kindsOfMode, weightOf } from '../exposure/kinds.js';
import { passedOn, SensorIndex } from '../exposure/model.js';
import { RouteError } from '../routes/errors.js';
import { joinPieces } from '../routes/graph.js';
import { Hierarchy, lengthCosts } from '../routes/hierarchy.js';
import { speed } from '../routes/modes.js';
import { Snapper } from '../routes/snap.js';
import { MAX_COST } from '../routes/triangles.js';
import { stepLength, wayPoints } from '../routes/way.js';
import { directions } from './directions.js';

/** @typedef {import('../exposure/kinds.js').Kind} Kind */
/** @typedef {import('../exposure/kinds.js').Mode} Mode */
/** @typedef {import('../exposure/sensor.js').Sensor} Sensor */
/** @typedef {import('../routes/hierarchy.js').Step} Step */
/** @typedef {import('../types').Position} Position */
/**
 * @typedef {object} Question
 * @property {Position[]} stops at least two
 * @property {Mode} mode
 * @property {Kind[]} kinds to avoid
 * @property {number} share 0: shortest, 1: quietest
 * @property {number} longer the share by which the quiet way may be longer
 */
/** @typedef {{sensor: Sensor, metres: number, nearest: number}} PassedSensor */
/**
 * @typedef {object} Route
 * @property {Position[]} line
 * @property {number} metres
 * @property {number} seconds
 * @property {number} exposure weighted metres under the devices to avoid
 * @property {PassedSensor[]} passed the most exposing first
 * @property {import('./directions.js').Direction[]} directions
 */
/** @typedef {{shortest: Route, quiet: Route}} Answer */
/**
 * The prices between which the ways become too long, and the ways for the lower one.
 * @typedef {{key: string, low: number, high: number, legs: Step[][] | null}} Limit
 */

const DECIMETRES = 10; // costs of a metre
const DEAREST = MAX_COST / 100; // so that a way of many dear edges stays below the highest cost
const TRIES = 5; // halvings of the price if the quietest way is too long

export class RouteEngine {
  /** @param {import('../routes/piece.js').Piece[]} pieces */
  constructor(pieces) {
    this.graph = joinPieces(pieces);
    this.hierarchy = new Hierarchy(this.graph);
    this.snapper = new Snapper(this.graph);
    this.index = new SensorIndex([]);
    /** @type {import('../exposure/edges.js').Layer[]} */
    this.layers = [];
    /** @type {{key: string, legs: Step[][]} | null} the last shortest way: the slider does not change it */
    this.shortest = null;
    /** @type {Limit | null} the last one: the slider does not change it */
    this.limit = null;
  }

  /** @param {Sensor[]} sensors */
  setSensors(sensors) {
    this.index = new SensorIndex(sensors);
    this.limit = null;
    this.layers = exposureOfEdges(this.index, this.graph.edgeCount, (edge) => this.graph.edgePoints(edge));
  }

  /**
   * @param {Question} question @returns {Answer}
   * @throws {RouteError}
   */
  answer({ stops, mode, kinds, share, longer }) {
    const snaps = stops.map((stop, place) => {
      const snap = this.snapper.nearest(stop, mode);
      if (!snap) throw new RouteError('no-street-near', String(place));
      return snap;
    });
    const avoided = kinds.filter((kind) => kindsOfMode(mode).includes(kind));
    const exposure = exposureFor(this.layers, this.graph.edgeCount, avoided);
    const key = JSON.stringify([stops, mode]);
    if (this.shortest?.key !== key) {
      this.hierarchy.customise(mode, lengthCosts(this.graph));
      this.shortest = { key, legs: this.legs(snaps) };
    }
    const { position } = snaps[0];
    const shortest = this.route(this.shortest.legs, mode, avoided, position);
    let quiet = shortest;
    if (share > 0 && avoided.length) {
      const ways = (/** @type {number} */ price) => {
        this.hierarchy.customise(mode, this.costs(exposure, price));
        return this.legs(snaps);
      };
      const limit = JSON.stringify([key, avoided, longer]);
      const legs = this.quietLegs(ways, priceOf(share), shortest.metres * (1 + longer), limit);
      const found = legs && this.route(legs, mode, avoided, position);
      if (found && found.exposure < shortest.exposure) quiet = found;
    }
    return { shortest, quiet };
  }

  /**
   * The ways for a price, or for the highest one whose ways are short enough. Ways get longer with the price.
   * @param {(price: number) => Step[][]} ways @param {number} price
   * @param {number} most metres @param {string} key of everything that decides about the limit
   * @returns {Step[][] | null}
   */
  quietLegs(ways, price, most, key) {
    const known = this.limit?.key === key ? this.limit : null;
    if (known && price >= known.high) return known.legs;
    const wanted = ways(price);
    if (this.length(wanted) <= most) return wanted;
    if (known) return known.legs;
    /** @type {Limit} */
    const limit = { key, low: 0, high: MAX_PRICE, legs: null };
    for (let i = 0; i < TRIES; i += 1) {
      const middle = (limit.low + limit.high) / 2;
      const legs = ways(middle);
      if (this.length(legs) <= most) [limit.low, limit.legs] = [middle, legs];
      else limit.high = middle;
    }
    this.limit = limit;
    return limit.legs;
  }

  /** @param {Float64Array} exposure @param {number} price */
  costs(exposure, price) {
    const lengths = lengthCosts(this.graph);
    const costs = new Int32Array(lengths.length);
    for (let edge = 0; edge < costs.length; edge += 1) {
      costs[edge] = Math.min(DEAREST, lengths[edge] + Math.round(price * exposure[edge] * DECIMETRES));
    }
    return costs;
  }

  /** @param {import('../routes/snap.js').Snap[]} snaps @returns {Step[][]} */
  legs(snaps) {
    return snaps.slice(1).map((to, place) => {
      const found = this.hierarchy.query(snaps[place], to);
      if (!found) throw new RouteError('no-way');
      return found.steps;
    });
  }

  /** @param {Step[][]} legs */
  length(legs) { return legs.flat().reduce((sum, step) => sum + stepLength(this.graph, step), 0); }

  /**
   * @param {Step[][]} legs @param {Mode} mode @param {Kind[]} avoided
   * @param {Position} start the whole line if all stops are at one place
   * @returns {Route}
   */
  route(legs, mode, avoided, start) {
    const { graph } = this;
    const points = wayPoints(graph, legs.flat());
    const line = points.length ? points : [start];
    const passed = passedOn(this.index, line);
    return {
      line, metres: this.length(legs), passed,
      seconds: legs.flat().reduce((sum, step) => sum + stepLength(graph, step) / speed(graph, step.edge, mode), 0),
      exposure: passed.reduce((sum, { sensor, metres }) => sum + metres * weightOf(sensor.kinds, avoided), 0),
      directions: directions(graph, legs),
    };
  }
}
