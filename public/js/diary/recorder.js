// @ts-check
// Records where the person goes while the page is open, and finds the passed devices. Only requests for whole cells of
// devices leave the browser; it keeps only passes.

import { isInCells, sensorsOf } from '../exposure/devices.js';
import { SensorIndex } from '../exposure/model.js';
import { cellsOfWays } from '../exposure/regions.js';
import { localDays, passesOf } from './passes.js';
import { Points } from './points.js';

/** @typedef {import('../exposure/sensor.js').Sensor} Sensor */
/** @typedef {{passing: import('./passes.js').Passing, sensors: Sensor[]}} Recorded */

const PAUSE = 20_000; // milliseconds between two comparisons

export class Recorder {
  /**
   * @param {object} acts
   * @param {(recorded: Recorded) => Promise<unknown>} acts.take called now and then with all passes since the start
   * @param {(error: unknown) => void} acts.trouble
   */
  constructor({ take, trouble }) {
    this.take = take;
    this.trouble = trouble;
    this.points = new Points(Date.now());
    /** @type {number[]} */
    this.cells = [];
    /** @type {Sensor[]} */
    this.sensors = [];
    /** @type {number | null} */
    this.watch = null;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    /**
     * Keeps the screen on: a browser records no place in the background.
     * @type {{release: () => Promise<void>} | null}
     */
    this.awake = null;
    this.compared = 0;
  }

  start() {
    this.watch = navigator.geolocation.watchPosition(({ coords, timestamp }) => {
      this.points.latest = Date.now() + 86_400_000;
      this.points.add(coords.longitude, coords.latitude, timestamp, coords.accuracy);
    }, this.trouble, { enableHighAccuracy: true, maximumAge: 5_000 });
    this.timer = setInterval(() => this.compare().catch(this.trouble), PAUSE);
    this.stayAwake();
  }

  async stayAwake() {
    try {
      const { wakeLock } = /** @type {any} */ (navigator);
      this.awake = await wakeLock?.request('screen') ?? null;
    } catch {
      // The battery is low: the user keeps the screen on.
    }
  }

  async stop() {
    if (this.watch !== null) navigator.geolocation.clearWatch(this.watch);
    this.watch = null;
    clearInterval(this.timer);
    this.awake?.release().catch(() => undefined);
    await this.compare();
  }

  /** Finds the passed devices so far. */
  async compare() {
    const { points } = this;
    if (!points.count || points.count === this.compared) return;
    this.compared = points.count;
    const way = Array.from({ length: points.count }, (_, i) => points.position(i));
    if (!way.every((position) => isInCells(this.cells, position))) {
      const cells = cellsOfWays([way]) ?? [];
      this.sensors = await sensorsOf(cells);
      this.cells = cells;
    }
    const passing = passesOf(points, points.pieces(), new SensorIndex(this.sensors), localDays());
    await this.take({ passing, sensors: this.sensors });
  }
}
