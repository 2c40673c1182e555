// @ts-check
// Recorded points, and the pieces of way between them. Pure. Growing arrays of numbers hold the points, so that
// a file of millions of points fits into memory.

import { distance, wrapLongitude } from '../geography.js';

/** @typedef {import('../types').Position} Position */
/**
 * Faults of the points of a file.
 * @typedef {object} Faults
 * @property {number} outside points that are not on the earth
 * @property {number} timeless points without a time
 * @property {number} unlikely points before 1990 or in the future
 * @property {number} vague points that are not known to 200 m
 * @property {number} backwards places where the clock runs backwards
 * @property {number} jumps points that a person cannot have reached
 */

export const MOST_POINTS = 6_000_000;
const OLDEST = Date.UTC(1990, 0, 1);
const DAY = 86_400_000; // milliseconds
const VAGUE = 200; // metres
const FASTEST = 70; // metres a second: faster than any road or most trains; an aeroplane passes no camera
const LONG = 2_000; // metres without a point, after which the way between is not known
const LONG_WHILE = 500; // metres, after five minutes without a point
const WHILE = 300_000; // milliseconds
const STILL = 2; // metres
const STILL_WHILE = 60_000; // milliseconds between two points of somebody who stands still

export class Points {
  /** @param {number} now milliseconds since 1970 */
  constructor(now) {
    this.latest = now + DAY;
    this.count = 0;
    this.longitudes = new Float64Array(1_024);
    this.latitudes = new Float64Array(1_024);
    this.times = new Float64Array(1_024);
    /** @type {Faults} */
    this.faults = { outside: 0, timeless: 0, unlikely: 0, vague: 0, backwards: 0, jumps: 0 };
  }

  get isFull() { return this.count >= MOST_POINTS; }

  /** Puts the points in the order of their times: some formats list the same hours twice. */
  sort() {
    const order = Array.from({ length: this.count }, (_, i) => i).sort((a, b) => this.times[a] - this.times[b]);
    for (const name of /** @type {const} */ (['longitudes', 'latitudes', 'times'])) {
      this[name] = Float64Array.from(order, (i) => this[name][i]);
    }
  }

  /**
   * @param {number} longitude @param {number} latitude @param {number} time milliseconds since 1970
   * @param {number} [accuracy] metres
   */
  add(longitude, latitude, time, accuracy = 0) {
    const { faults } = this;
    if (!(Math.abs(longitude) <= 360 && Math.abs(latitude) <= 90)) faults.outside += 1;
    else if (!Number.isFinite(time)) faults.timeless += 1;
    else if (time < OLDEST || time > this.latest) faults.unlikely += 1;
    else if (accuracy > VAGUE) faults.vague += 1;
    else if (!this.isFull) this.keep(wrapLongitude(longitude), latitude, time);
  }

  /** @param {number} longitude @param {number} latitude @param {number} time */
  keep(longitude, latitude, time) {
    const last = this.count - 1;
    if (last >= 0 && time >= this.times[last] && time - this.times[last] < STILL_WHILE
      && distance([this.longitudes[last], this.latitudes[last]], [longitude, latitude]) < STILL) return;
    if (this.count === this.times.length) this.grow();
    this.longitudes[this.count] = longitude;
    this.latitudes[this.count] = latitude;
    this.times[this.count] = time;
    this.count += 1;
  }

  grow() {
    for (const name of /** @type {const} */ (['longitudes', 'latitudes', 'times'])) {
      const larger = new Float64Array(this.count * 2);
      larger.set(this[name]);
      this[name] = larger;
    }
  }

  /** @param {number} place @returns {Position} */
  position(place) { return [this.longitudes[place], this.latitudes[place]]; }

  /**
   * The pieces between gaps, jumps and steps back in time, as ranges of points: the first, and the one after the last.
   * Also counts the jumps and the steps back.
   * @returns {[number, number][]}
   */
  pieces() {
    /** @type {[number, number][]} */
    const pieces = [];
    let first = 0;
    let isAfterJump = false;
    this.faults.backwards = 0;
    this.faults.jumps = 0;
    for (let i = 1; i <= this.count; i += 1) {
      const cut = i === this.count ? 'end' : this.cut(i);
      if (!cut) continue;
      if (cut === 'backwards') this.faults.backwards += 1;
      // A single point far from those before and after it is an error of the receiver.
      if (isAfterJump && cut === 'jump' && i - first === 1) this.faults.jumps += 1;
      else pieces.push([first, i]);
      isAfterJump = cut === 'jump';
      first = i;
    }
    return pieces;
  }

  /**
   * Why a piece ends before a point.
   * @param {number} i a point after the first @returns {'backwards' | 'jump' | 'gap' | null}
   */
  cut(i) {
    const seconds = (this.times[i] - this.times[i - 1]) / 1_000;
    if (seconds < 0) return 'backwards';
    const metres = distance(this.position(i - 1), this.position(i));
    if (metres > FASTEST * Math.max(1, seconds)) return 'jump';
    return metres > LONG || (metres > LONG_WHILE && seconds * 1_000 > WHILE) ? 'gap' : null;
  }
}
