// @ts-check
// Points of GeoJSON: lines with a time for each position, as several programs write them, and points with a time. Pure.

/** @typedef {import('./points.js').Points} Points */

/** The members of the root that are needed, if the file is one feature or one geometry. */
export const MEMBERS = Object.freeze(['features', 'geometry', 'properties']);
const TIME_LISTS = ['coordTimes', 'times', 'timestamps'];
const TIME_NAMES = ['time', 'timestamp', 'datetime', 'date', 'recorded_at'];

/** @param {any} feature @param {Points} points */
export function addFeature(feature, points) {
  const { geometry, properties } = feature ?? {};
  const times = timesOf(properties);
  const own = TIME_NAMES.map((name) => properties?.[name]).find((value) => value !== undefined && value !== null);
  for (const one of geometry?.type === 'GeometryCollection' ? list(geometry.geometries) : [geometry]) {
    if (one?.type === 'Point') addPosition(one.coordinates, timeOf(own), points);
    if (one?.type === 'LineString') addLine(one.coordinates, times, points);
    if (one?.type === 'MultiLineString') {
      // Times of several lines come as one list, or as a list for each line.
      const isNested = Array.isArray(times[0]);
      let before = 0;
      list(one.coordinates).forEach((line, i) => {
        addLine(line, isNested ? list(times[i]) : times.slice(before, before + list(line).length), points);
        before += list(line).length;
      });
    }
  }
}

/** @param {any} properties @returns {any[]} */
function timesOf(properties) {
  const places = [properties, properties?.coordinateProperties];
  return places.flatMap((place) => TIME_LISTS.map((name) => place?.[name])).find(Array.isArray) ?? [];
}

/** @param {any} line @param {any[]} times @param {Points} points */
function addLine(line, times, points) {
  list(line).forEach((position, i) => {
    // Some programs write the time as the fourth number.
    const last = Array.isArray(position) && position.length > 3 ? position[3] : undefined;
    addPosition(position, timeOf(times[i] ?? last), points);
  });
}

/** @param {any} position @param {number} time @param {Points} points */
function addPosition(position, time, points) {
  const [longitude, latitude] = list(position);
  points.add(typeof longitude === 'number' ? longitude : NaN, typeof latitude === 'number' ? latitude : NaN, time);
}

const SECONDS = 1e11; // a smaller number counts seconds since 1970, not milliseconds

/** @param {unknown} value */
function timeOf(value) {
  if (typeof value === 'number') return value < SECONDS ? value * 1_000 : value;
  return typeof value === 'string' ? Date.parse(value) : NaN;
}

/** @param {any} value @returns {any[]} */
function list(value) { return Array.isArray(value) ? value : []; }
