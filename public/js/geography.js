// @ts-check
// Boxes, distances and shapes on the earth. Pure; longitude before latitude, degrees and metres.

/** @typedef {import('./types').View} View */
/** @typedef {import('./types').Box} Box */
/** @typedef {import('./types').Position} Position */

const EARTH_RADIUS = 6_371_008.8; // metres, mean radius (IUGG)
/** Metres of a degree of a great circle. */
export const METRES_PER_DEGREE = (EARTH_RADIUS * Math.PI) / 180;
const TILE = 512; // pixels of the world at zoom 0, as MapLibre counts
const MAX_LATITUDE = 85.051129; // where Web Mercator ends
const radians = Math.PI / 180;
/** The highest zoom that shows a place with its box. */
export const CLOSEST_TO_PLACE = 14;
/** The highest zoom of every map. */
export const MAX_ZOOM = 19;
/** The zoom that shows a place whose size is not known. */
export const AROUND_PLACE = 12;

/**
 * A longitude from -180 to 180 degrees.
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
 * Whether a box contains another one. Boxes across the antimeridian contain none, and are in none but the whole world.
 * @param {Box} outer @param {Box} inner
 */
export function contains([west, south, east, north], inner) {
  if (south > inner[1] || north < inner[3]) return false;
  return east - west >= 360 || (west <= inner[0] && east >= inner[2] && inner[0] <= inner[2] && west <= east);
}

/**
 * A box as the interface accepts it: at most the whole world, longitudes wrapped, latitudes clamped.
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
 * The visible box of a flat, north-up map.
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
 * The view with the highest zoom that shows a whole box.
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
 * The same view after the map has moved down, so that something may cover the top of the window.
 * @param {View} view @param {number} pixels
 * @returns {View}
 */
export function lowered(view, pixels) {
  const world = TILE * 2 ** view.zoom;
  return { ...view, latitude: latitudeOf(Math.max(0, mercatorY(view.latitude) - pixels / world)) };
}

/**
 * The view of a place: all of it, or its surroundings if its size is not known.
 * @param {import('./types').Place} place @param {number} width pixels @param {number} height pixels
 * @returns {View}
 */
export function viewOfPlace({ bbox, longitude, latitude }, width, height) {
  if (bbox?.length !== 4) return { longitude, latitude, zoom: AROUND_PLACE };
  return viewOfBox(/** @type {Box} */ (bbox), width, height, CLOSEST_TO_PLACE);
}

/**
 * Whether two boxes are equal apart from rounding: a twentieth of a pixel of a large window.
 * @param {Box} a @param {Box} b
 */
export function sameBox(a, b) {
  const width = a[2] >= a[0] ? a[2] - a[0] : a[2] + 360 - a[0];
  return a.every((edge, place) => Math.abs(edge - b[place]) <= width * 5e-5);
}

/**
 * A box as text, each edge rounded to six decimals (11 cm).
 * @param {Box} box
 */
export function boxText(box) {
  return box.map((edge) => String(Math.round(edge * 1e6) / 1e6)).join(',');
}

/**
 * The middle of a box, which may cross the antimeridian.
 * @param {Box} box
 * @returns {Position}
 */
export function middleOf([west, south, east, north]) {
  const span = east >= west ? east - west : east + 360 - west;
  return [wrapLongitude(west + span / 2), (south + north) / 2];
}

const LOCAL = 2; // degrees of latitude: about 220 km

/**
 * Whether distances within a box are meaningful to a reader: a city or a district, not a continent.
 * @param {Box} box
 */
export function isLocal([, south, , north]) {
  return north - south < LOCAL;
}

/**
 * The distance along the great circle, in metres.
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
 * The bearing from one place to another, in degrees clockwise from north.
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
 * The sector of a circle that a device observes, as a closed ring.
 * @param {Position} from @param {number} bearing @param {number} width degrees of view
 * @param {number} metres the radius of the sector
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
 * The radius, in metres, of the circle around the cell that a coarse point represents: half the diagonal of
 * a cell of 100 m, 1 km or 10 km. Null for an exact point.
 * @param {string | null | undefined} precision
 * @returns {number | null}
 */
export function uncertainty(precision) {
  const cell = { '100m': 100, '1km': 1_000, area: 10_000 }[precision ?? ''];
  return cell ? (cell * Math.SQRT2) / 2 : null;
}
