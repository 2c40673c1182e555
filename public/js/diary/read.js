// @ts-check
// Reads a recorded way from a file as it arrives. The content decides, not the name of the file. Pure.

import { FileFault } from './faults.js';
import { addFeature, MEMBERS } from './geojson.js';
import { addGoogle, LISTS } from './google.js';
import { GPXReader } from './gpx.js';
import { JSONElements } from './json-elements.js';
import { Points } from './points.js';

/** @typedef {'gpx' | 'geojson' | 'google'} Format */

/** Reads text as it arrives, and detects its format. */
export class TrackReader {
  /** @param {number} now milliseconds since 1970 */
  constructor(now) {
    this.points = new Points(now);
    /** @type {GPXReader | JSONElements | null} */
    this.reader = null;
    /** @type {Format | null} */
    this.format = null;
    /** Whether the file has a list of one of the formats, even an empty one. */
    this.isKnown = false;
    /** @type {Record<string, any>} the members of a file that is one feature */
    this.single = {};
  }

  /** @param {string} text */
  push(text) {
    if (!this.reader) {
      const start = text.replace(/^\uFEFF/, '').trimStart();
      if (!start) return;
      this.reader = start.startsWith('<') ? new GPXReader(this.points)
        : new JSONElements((list, value) => this.take(list, value), (name) => this.isWanted(name));
      if (start.startsWith('<')) this.format = 'gpx';
    }
    this.reader.push(text);
    if (this.points.isFull) throw new FileFault('too_long');
  }

  /** @param {string} name of a member of the root */
  isWanted(name) {
    const isWanted = name === '' || LISTS.includes(name) || MEMBERS.includes(name);
    this.isKnown ||= isWanted && name !== '';
    return isWanted;
  }

  /** @param {string} list @param {any} value */
  take(list, value) {
    if (list === 'features') {
      this.format = 'geojson';
      addFeature(value, this.points);
    } else if (list === 'geometry' || list === 'properties') {
      this.single[list] = value;
    } else {
      // A list that is the whole file is Timeline.json of iOS; another list has no times of that form.
      if (list === '' && typeof value?.startTime !== 'string') throw new FileFault('type');
      this.format = 'google';
      addGoogle(list, value, this.points);
    }
  }

  /**
   * At the end of the file.
   * @returns {{points: Points, format: Format, isBroken: boolean}} `isBroken`: the file ends in the middle, and the
   *   points before are there
   * @throws {FileFault} if there is nothing to read
   */
  end() {
    let isBroken = false;
    try {
      if (!this.reader) throw new FileFault('empty');
      this.reader.end();
    } catch (error) {
      if (!(error instanceof FileFault) || error.code !== 'broken_off' || !this.points.count) throw error;
      isBroken = true;
    }
    if (this.single.geometry) {
      this.format = 'geojson';
      addFeature(this.single, this.points);
    }
    const { points, format } = this;
    if (!format) throw new FileFault(this.isKnown ? 'empty' : 'type');
    if (!points.count) throw new FileFault(whyEmpty(points.faults));
    // The segments of a timeline overlap, and its raw signals repeat the last weeks.
    if (format === 'google') points.sort();
    return { points, format, isBroken };
  }
}

/** @param {import('./points.js').Faults} faults @returns {import('./faults.js').FaultCode} */
function whyEmpty({ timeless, outside, unlikely }) {
  if (timeless) return 'timeless';
  if (unlikely) return 'unlikely';
  return outside ? 'nowhere' : 'empty';
}
