// @ts-check
// The area of a watch: a box, a circle, a polygon, or a place with its border. Pure; degrees and metres.

import { destination, distance, wrapLongitude } from '../geography.js';

/** @typedef {import('../types').Box} Box */
/** @typedef {import('../types').Position} Position */
/**
 * @typedef {{type: 'box', box: Box}
 *   | {type: 'circle', centre: Position, radius: number}
 *   | {type: 'polygon', corners: Position[]}
 *   | {type: 'place', place: string, name: string, box: Box, border?: Position[][]}} Area
 *   The corners of a polygon, and of each ring of a border, omit the last, repeated corner of the ring. A
 *   place without a known border is its box.
 */

export const LEAST_RADIUS = 50; // metres
export const MOST_RADIUS = 50_000;
export const MOST_CORNERS = 200;
/** Of a border, with all its rings. */
export const MOST_BORDER_CORNERS = 10_000;

/**
 * Whether an area contains a position, edges of boxes and circles included.
 * @param {Area} area @param {Position} position
 */
export function contains(area, position) {
  switch (area.type) {
    case 'circle': return distance(area.centre, position) <= area.radius;
    case 'polygon': return isInRing(area.corners, position);
    case 'place': return isInBox(area.box, position)
      // Islands and holes: a position inside an odd number of rings is inside the border.
      && (!area.border || area.border.filter((ring) => isInRing(ring, position)).length % 2 === 1);
    default: return isInBox(area.box, position);
  }
}

/** @param {Box} box @param {Position} position */
function isInBox([west, south, east, north], [longitude, latitude]) {
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

/**
 * The corners with longitudes that continue beyond the antimeridian: each edge takes the shorter way.
 * @param {Position[]} corners
 * @returns {Position[]}
 */
function unrolled(corners) {
  let last = corners[0]?.[0] ?? 0;
  return corners.map(([longitude, latitude]) => {
    last += wrapLongitude(longitude - last);
    return [last, latitude];
  });
}

/** @param {Position[]} corners @param {Position} position */
function isInRing(corners, [longitude, latitude]) {
  const ring = unrolled(corners);
  return [longitude - 360, longitude, longitude + 360].some((x) => {
    let isInside = false;
    ring.forEach(([ax, ay], index) => {
      const [bx, by] = ring[(index + 1) % ring.length];
      if (ay > latitude !== by > latitude && x < ((bx - ax) * (latitude - ay)) / (by - ay) + ax) isInside = !isInside;
    });
    return isInside;
  });
}

/**
 * The smallest box around an area. A west greater than east crosses the antimeridian.
 * @param {Area} area
 * @returns {Box}
 */
export function boundsOf(area) {
  if (area.type === 'circle') return boundsOfCircle(area.centre, area.radius);
  if (area.type !== 'polygon') return area.box;
  const ring = unrolled(area.corners);
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return [wrapLongitude(Math.min(...xs)), Math.min(...ys), wrapLongitude(Math.max(...xs)), Math.max(...ys)];
}

/** @param {Position} centre @param {number} radius @returns {Box} */
function boundsOfCircle(centre, radius) {
  const [longitude, latitude] = centre;
  const reach = destination([0, 0], 0, radius)[1]; // degrees of latitude
  const [south, north] = [latitude - reach, latitude + reach];
  if (south <= -90 || north >= 90) return [-180, Math.max(-90, south), 180, Math.min(90, north)];
  // Farther than the point due east of the centre (Chamberlain and Duquette 2007).
  const sine = Math.sin((reach * Math.PI) / 180) / Math.cos((latitude * Math.PI) / 180);
  const aside = sine < 1 ? (Math.asin(sine) * 180) / Math.PI : 180;
  if (aside >= 180) return [-180, south, 180, north];
  return [wrapLongitude(longitude - aside), south, wrapLongitude(longitude + aside), north];
}

/**
 * Reads an area from a file. Null for any other value.
 * @param {any} value @returns {Area | null}
 */
export function readArea(value) {
  switch (value?.type) {
    case 'box': {
      const box = readBox(value.box);
      return box && { type: 'box', box };
    }
    case 'place': {
      const box = readBox(value.box);
      const isPlace = typeof value.place === 'string' && /^\d{1,15}$/.test(value.place)
        && typeof value.name === 'string' && value.name.length <= 200;
      const border = value.border === undefined ? undefined : readBorder(value.border);
      if (!box || !isPlace || border === null) return null;
      return { type: 'place', place: value.place, name: value.name, box, ...(border && { border }) };
    }
    case 'circle': {
      const { centre, radius } = value;
      const isCircle = isPosition(centre) && isNumber(radius) && radius >= LEAST_RADIUS && radius <= MOST_RADIUS;
      return isCircle ? { type: 'circle', centre: [centre[0], centre[1]], radius } : null;
    }
    case 'polygon': return readPolygon(value.corners);
    default: return null;
  }
}

/**
 * The rings of a border from a response of the server; undefined for other geometries, or with too many corners.
 * @param {any} geometry of GeoJSON
 */
export function ringsOf(geometry) {
  const polygons = geometry?.type === 'Polygon' ? [geometry.coordinates]
    : geometry?.type === 'MultiPolygon' ? geometry.coordinates : [];
  return readBorder(polygons.flat().map((/** @type {Position[]} */ ring) => ring.slice(0, -1))) ?? undefined;
}

/** @param {any} rings @returns {Position[][] | null} */
function readBorder(rings) {
  const isBorder = Array.isArray(rings) && rings.length > 0
    && rings.every((ring) => Array.isArray(ring) && ring.length >= 3 && ring.every(isPosition))
    && rings.reduce((sum, ring) => sum + ring.length, 0) <= MOST_BORDER_CORNERS;
  return isBorder ? rings.map((ring) => ring.map((/** @type {Position} */ [x, y]) => /** @type {Position} */ ([x, y])))
    : null;
}

/** @param {any} corners @returns {Area | null} */
function readPolygon(corners) {
  if (!Array.isArray(corners) || corners.length < 3 || corners.length > MOST_CORNERS) return null;
  if (!corners.every(isPosition)) return null;
  const ring = unrolled(corners);
  // A ring around a pole does not return to its first longitude.
  const turn = ring[ring.length - 1][0] + wrapLongitude(ring[0][0] - ring[ring.length - 1][0]) - ring[0][0];
  if (Math.abs(turn) > 1 || crossesItself(ring)) return null;
  return { type: 'polygon', corners: corners.map(([longitude, latitude]) => [longitude, latitude]) };
}

/** @param {any} value @returns {Box | null} */
function readBox(value) {
  if (!Array.isArray(value) || value.length !== 4) return null;
  const [west, south, east, north] = value;
  const isBox = isPosition([west, south]) && isPosition([east, north]) && south <= north;
  return isBox ? [west, south, east, north] : null;
}

/** @param {unknown} value */
function isNumber(value) { return typeof value === 'number' && Number.isFinite(value); }

/** @param {any} value */
function isPosition(value) {
  return Array.isArray(value) && value.length === 2 && value.every(isNumber)
    && Math.abs(value[0]) <= 180 && Math.abs(value[1]) <= 90;
}

/** @param {Position[]} ring without its last, repeated corner */
function crossesItself(ring) {
  const edges = ring.map((corner, index) => [corner, ring[(index + 1) % ring.length]]);
  return edges.some(([a, b], i) => edges.some(([c, d], j) => {
    const areNeighbours = i === j || (i + 1) % edges.length === j || (j + 1) % edges.length === i;
    return !areNeighbours && side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
  }));
}

/**
 * On which side of a line through two points a third one lies: 1, -1, or 0 on the line.
 * @param {Position} a @param {Position} b @param {Position} c
 */
function side(a, b, c) {
  return Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}
