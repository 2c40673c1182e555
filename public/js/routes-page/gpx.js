// @ts-check
// A way to take along: GPX, with or without its ends, and `geo:` links. Pure.

import { distance } from '../geography.js';

/** @typedef {import('../types').Position} Position */

export const ENDS = 250; // metres that are left out at each end

/**
 * A line without its ends; empty if nothing is left.
 * @param {Position[]} line @param {number} [metres] at each end
 * @returns {Position[]}
 */
export function withoutEnds(line, metres = ENDS) {
  const start = cutAt(line, metres);
  return cutAt(start.reverse(), metres).reverse();
}

/** @param {Position[]} line @param {number} metres @returns {Position[]} the line from so many metres on */
function cutAt(line, metres) {
  let rest = metres;
  for (let i = 1; i < line.length; i += 1) {
    const length = distance(line[i - 1], line[i]);
    if (length > rest) {
      const share = rest / length;
      const [from, to] = [line[i - 1], line[i]];
      return [[from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share], ...line.slice(i)];
    }
    rest -= length;
  }
  return [];
}

/**
 * @param {Position[]} line @param {string} name
 */
export function gpxOf(line, name) {
  const points = line.map(([longitude, latitude]) => (
    `      <trkpt lat="${latitude.toFixed(6)}" lon="${longitude.toFixed(6)}"/>`));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Farol" xmlns="http://www.topografix.com/GPX/1/1">',
    '  <trk>', `    <name>${escaped(name)}</name>`, '    <trkseg>', ...points, '    </trkseg>', '  </trk>',
    '</gpx>', '',
  ].join('\n');
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one] ?? one);
}

/**
 * A link that opens a place in another program of the device (RFC 5870).
 * @param {Position} position
 */
export function geoLink([longitude, latitude]) { return `geo:${latitude.toFixed(6)},${longitude.toFixed(6)}`; }
