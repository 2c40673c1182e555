// @ts-check
// Reads GPX as it arrives, without holding the file. Pure. Only tracks and routes are ways; waypoints are places that
// the user marked. Entities of a DOCTYPE are not expanded.

import { FileFault } from './faults.js';

/** @typedef {import('./points.js').Points} Points */

const LONGEST_TAG = 65_536; // characters
const DEEPEST = 64;
const POINTS = ['trkpt', 'rtept'];
const [SPACE, QUOTE, APOSTROPHE, SLASH, COLON, BRACKET] = [32, 34, 39, 47, 58, 62];
const LONGITUDE = /\slon\s*=\s*(["'])([^"']*)\1/;
const LATITUDE = /\slat\s*=\s*(["'])([^"']*)\1/;
const CLOSERS = /** @type {const} */ ([['<!--', '-->'], ['<![CDATA[', ']]>'], ['<?', '?>'], ['<!', '>']]);

export class GPXReader {
  /** @param {Points} points */
  constructor(points) {
    this.points = points;
    this.rest = '';
    /** @type {string[]} the open elements */
    this.open = [];
    this.isStarted = false;
    this.isDone = false;
    /** @type {{longitude: number, latitude: number, time: number} | null} */
    this.point = null;
    this.isTime = false;
  }

  /** @param {string} text the next part of the file */
  push(text) {
    const all = this.rest + text;
    let at = 0;
    for (;;) {
      const start = all.indexOf('<', at);
      if (start < 0) {
        this.words(all, at, all.length);
        // The text of a time may continue in the next part.
        this.rest = this.isTime ? all.slice(at) : '';
        if (this.rest.length > LONGEST_TAG) throw new FileFault('damaged');
        break;
      }
      const end = this.endOf(all, start);
      if (end < 0) {
        if (all.length - start > LONGEST_TAG) throw new FileFault('damaged');
        this.rest = all.slice(this.isTime ? at : start);
        break;
      }
      if (this.isTime) this.words(all, at, start);
      if (all[start + 1] !== '!' && all[start + 1] !== '?') this.tag(all.slice(start + 1, end - 1));
      at = end;
    }
  }

  /**
   * The place after a tag, comment or declaration; -1 if it has not ended yet.
   * @param {string} all @param {number} start
   */
  endOf(all, start) {
    const second = all[start + 1];
    if (second === undefined) return -1;
    if (second === '!' || second === '?') {
      // The first characters decide, and they may be in the next part.
      if (all.length - start < 9) return -1;
      const [opener, closer] = CLOSERS.find(([one]) => all.startsWith(one, start)) ?? CLOSERS[3];
      const end = all.indexOf(closer, start + opener.length);
      return end < 0 ? -1 : end + closer.length;
    }
    // The value of an attribute may contain the bracket. One pass, because it may contain thousands.
    let open = 0;
    for (let i = start + 1; i < all.length; i += 1) {
      const code = all.charCodeAt(i);
      if (open) open = code === open ? 0 : open;
      else if (code === QUOTE || code === APOSTROPHE) open = code;
      else if (code === BRACKET) return i + 1;
    }
    return -1;
  }

  /** @param {string} all @param {number} from @param {number} to */
  words(all, from, to) {
    if (this.isTime && this.point && to < all.length) this.point.time = Date.parse(all.slice(from, to).trim());
    if (!this.isStarted && all.slice(from, to).replace(/^\uFEFF/, '').trim()) throw new FileFault('type');
  }

  /** @param {string} text of a tag, without its brackets */
  tag(text) {
    if (text.charCodeAt(0) === SLASH) {
      const name = localName(text, 1);
      if (this.open.pop() !== name) throw new FileFault('damaged');
      this.close(name);
      return;
    }
    const name = localName(text, 0);
    if (!name) throw new FileFault('damaged');
    if (!this.isStarted && name !== 'gpx') throw new FileFault('type');
    if (this.isDone) throw new FileFault('damaged');
    this.isStarted = true;
    const isPoint = POINTS.includes(name);
    if (isPoint) this.point = { longitude: number(text, LONGITUDE), latitude: number(text, LATITUDE), time: NaN };
    const isEmpty = text.charCodeAt(text.length - 1) === SLASH;
    this.isTime = name === 'time' && !isEmpty && POINTS.includes(this.open[this.open.length - 1]);
    if (isEmpty) {
      this.close(name);
    } else {
      this.open.push(name);
      if (this.open.length > DEEPEST) throw new FileFault('damaged');
    }
  }

  /** @param {string} name */
  close(name) {
    this.isTime = false;
    if (!this.open.length) this.isDone = true;
    if (!this.point || !POINTS.includes(name)) return;
    const { longitude, latitude, time } = this.point;
    this.points.add(longitude, latitude, time);
    this.point = null;
  }

  /** At the end of the file. */
  end() {
    if (!this.isStarted) throw new FileFault('type');
    if (!this.isDone || this.rest.trim()) throw new FileFault('broken_off');
  }
}

/**
 * The name of an element without its prefix.
 * @param {string} text of a tag @param {number} start
 */
function localName(text, start) {
  let first = start;
  let i = start;
  for (; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === COLON) first = i + 1;
    else if (code <= SPACE || code === SLASH) break;
  }
  return text.slice(first, i);
}

/** @param {string} text of a tag @param {RegExp} attribute */
function number(text, attribute) {
  const value = attribute.exec(text)?.[2].trim();
  return value ? Number(value) : NaN;
}
