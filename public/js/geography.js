// @ts-check
// Boxes, distances and shapes on the earth. Pure; longitude before latitude, degrees and metres.

/** @typedef {{longitude: number, latitude: number, zoom: number}} View */
/** @typedef {[west: number, south: number, east: number, north: number]} Box west > east: crosses the antimeridian */
/** @typedef {[longitude: number, latitude: number]} Position */

const EARTH_RADIUS = 6_371_008.8; // metres, mean radius (IUGG)
const TILE = 512; // pixels of the world at zoom 0, as MapLibre counts
const MAX_LATITUDE = 85.051129; // where Web Mercator ends
const radians = Math.PI / 180;

/**
 * A longitude from -180 (in) to 180 (out).
 * @param {number} longitude
 */
export function wrapLongitude(longitude) {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}

/** @param {number} latitude */
function mercatorY(latitude) {
  const sine = Math.sin(Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * radians);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** @param {number} y */
function latitudeOf(y) {
  return Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) / radians;
}

/**
 * A box as the interface takes it: the whole world at most, longitudes wrapped, latitudes cut.
 * @param {number} west @param {number} south @param {number} east @param {number} north
 * @returns {Box}
 */
export function normalBox(west, south, east, north) {
  const low = Math.max(-90, Math.min(south, north));
  const high = Math.min(90, Math.max(south, north));
  if (east - west >= 360) return [-180, low, 180, high];
  return [wrapLongitude(west), low, wrapLongitude(east), high];
}

/**
 * What a flat, north-up map of a size shows around a view.
 * @param {View} view @param {number} width pixels @param {number} height pixels
 * @returns {Box}
 */
export function boxOfView(view, width, height) {
  const world = TILE * 2 ** view.zoom;
  const halfWidth = (width / world) * 180;
  const middle = mercatorY(view.latitude);
  const halfHeight = height / world / 2;
  return normalBox(
    view.longitude - halfWidth, latitudeOf(Math.min(1, middle + halfHeight)),
    view.longitude + halfWidth, latitudeOf(Math.max(0, middle - halfHeight)),
  );
}

/**
 * The closest view that holds a whole box.
 * @param {Box} box @param {number} width pixels @param {number} height pixels @param {number} [maxZoom]
 * @returns {View}
 */
export function viewOfBox(box, width, height, maxZoom = 16) {
  const [west, south, , north] = box;
  const span = box[2] >= west ? box[2] - west : box[2] + 360 - west;
  const top = mercatorY(north);
  const bottom = mercatorY(south);
  const fit = Math.min(
    Math.log2((width / TILE) * (360 / Math.max(span, 1e-9))),
    Math.log2(height / TILE / Math.max(bottom - top, 1e-12)),
  );
  return {
    longitude: wrapLongitude(west + span / 2),
    latitude: latitudeOf((top + bottom) / 2),
    zoom: Math.max(0, Math.min(maxZoom, fit)),
  };
}

/**
 * Whether two boxes are the same but for what is lost in computing: a twentieth of a pixel of a large window.
 * @param {Box} a @param {Box} b
 */
export function sameBox(a, b) {
  const width = a[2] >= a[0] ? a[2] - a[0] : a[2] + 360 - a[0];
  return a.every((edge, place) => Math.abs(edge - b[place]) <= width * 5e-5);
}

/**
 * Cuts an edge to six decimals (11 cm).
 * @param {Box} box
 */
export function boxText(box) {
  return box.map((edge) => String(Math.round(edge * 1e6) / 1e6)).join(',');
}

/**
 * Metres along the great circle.
 * @param {Position} from @param {Position} to
 */
export function distance(from, to) {
  const a = from[1] * radians;
  const b = to[1] * radians;
  const half = Math.sin((b - a) / 2) ** 2
    + Math.cos(a) * Math.cos(b) * Math.sin(((to[0] - from[0]) * radians) / 2) ** 2;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(half)));
}

/**
 * Which way one place lies from another, in degrees clockwise from north.
 * @param {Position} from @param {Position} to
 */
export function bearingTo([longitude, latitude], [otherLongitude, otherLatitude]) {
  const aside = (otherLongitude - longitude) * radians;
  const [south, north] = [latitude * radians, otherLatitude * radians];
  const x = Math.cos(south) * Math.sin(north) - Math.sin(south) * Math.cos(north) * Math.cos(aside);
  return (Math.atan2(Math.sin(aside) * Math.cos(north), x) / radians + 360) % 360;
}

/**
 * The point some metres away in a direction.
 * @param {Position} from @param {number} bearing degrees clockwise from north @param {number} metres
 * @returns {Position}
 */
export function destination(from, bearing, metres) {
  const angle = metres / EARTH_RADIUS;
  const latitude = from[1] * radians;
  const turn = bearing * radians;
  const sine = Math.sin(latitude) * Math.cos(angle)
    + Math.cos(latitude) * Math.sin(angle) * Math.cos(turn);
  const longitude = from[0] + Math.atan2(
    Math.sin(turn) * Math.sin(angle) * Math.cos(latitude),
    Math.cos(angle) - Math.sin(latitude) * sine,
  ) / radians;
  return [longitude, Math.asin(sine) / radians];
}

/**
 * A circle as a closed ring.
 * @param {Position} centre @param {number} metres @param {number} [corners]
 * @returns {Position[]}
 */
export function circle(centre, metres, corners = 64) {
  const ring = [];
  for (let i = 0; i <= corners; i += 1) ring.push(destination(centre, (360 / corners) * (i % corners), metres));
  return ring;
}

/**
 * The slice of a circle that a device looks at, as a closed ring.
 * @param {Position} from @param {number} bearing @param {number} width degrees of view
 * @param {number} metres how far the slice is drawn
 * @returns {Position[]}
 */
export function wedge(from, bearing, width, metres) {
  if (width >= 360) return circle(from, metres);
  const ring = [from];
  const steps = Math.max(2, Math.ceil(width / 5));
  for (let i = 0; i <= steps; i += 1) {
    ring.push(destination(from, bearing - width / 2 + (width / steps) * i, metres));
  }
  ring.push(from);
  return ring;
}

/**
 * The radius, in metres, of the circle that holds the whole cell a coarse point stands for: half the
 * diagonal of a cell of 100 m, 1 km or 10 km. Nothing for an exact point.
 * @param {string | null | undefined} precision
 * @returns {number | null}
 */
export function uncertainty(precision) {
  const cell = { '100m': 100, '1km': 1_000, area: 10_000 }[precision ?? ''];
  return cell ? (cell * Math.SQRT2) / 2 : null;
}
