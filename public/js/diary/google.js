// @ts-check
// Points of Google's exports: Records.json and Semantic Location History of Takeout, and Timeline.json, which a phone
// exports, of Android (`semanticSegments`, `rawSignals`) and iOS (a list). Pure. Takeout's formats as described by
// https://github.com/CarlosBergillos/LocationHistoryFormat.

/** @typedef {import('./points.js').Points} Points */

const E7 = 1e7;
const MINUTE = 60_000; // milliseconds

/** The lists that hold points. */
export const LISTS = Object.freeze(['locations', 'timelineObjects', 'semanticSegments', 'rawSignals']);

/**
 * @param {string} list the name of the list; empty for a list that is the whole file
 * @param {any} element @param {Points} points
 */
export function addGoogle(list, element, points) {
  switch (list) {
    case 'locations': return record(element, points);
    case 'timelineObjects': return semantic(element, points);
    case 'rawSignals': return signal(element?.position, points);
    default: return segment(element, points);
  }
}

/** @param {any} given @param {Points} points */
function record(given, points) {
  const at = timeOf(given?.timestamp, given?.timestampMs);
  points.add(given?.longitudeE7 / E7, given?.latitudeE7 / E7, at, given?.accuracy ?? 0);
}

/** @param {any} given @param {Points} points */
function semantic({ activitySegment: way, placeVisit: visit } = {}, points) {
  if (visit) {
    const [from, to] = during(visit.duration);
    stay(place7(visit.location), from, to, points);
  }
  if (!way) return;
  const [from, to] = during(way.duration);
  const raw = way.simplifiedRawPath?.points;
  const between = way.waypointPath?.waypoints;
  addPlace(place7(way.startLocation), from, points);
  if (Array.isArray(raw) && raw.length) {
    for (const one of raw) {
      addPlace([one?.lngE7 / E7, one?.latE7 / E7], timeOf(one?.timestamp, one?.timestampMs), points);
    }
  } else if (Array.isArray(between)) {
    // Without times: spread over the journey.
    between.forEach((one, i) => addPlace([one?.lngE7 / E7, one?.latE7 / E7],
      from + ((to - from) * (i + 1)) / (between.length + 1), points));
  }
  addPlace(place7(way.endLocation), to, points);
}

/** @param {any} given @param {Points} points */
function signal(given, points) {
  if (!given) return;
  const place = placeOf(given.LatLng ?? given.latLng);
  if (place) points.add(...place, timeOf(given.timestamp), given.accuracyMeters ?? 0);
}

/** @param {any} given @param {Points} points */
function segment(given, points) {
  const [from, to] = [timeOf(given?.startTime), timeOf(given?.endTime)];
  const where = given?.visit?.topCandidate?.placeLocation;
  if (where) stay(placeOf(where.latLng ?? where), from, to, points);
  if (given?.activity) {
    addPlace(placeOf(given.activity.start?.latLng ?? given.activity.start), from, points);
    addPlace(placeOf(given.activity.end?.latLng ?? given.activity.end), to, points);
  }
  if (!Array.isArray(given?.timelinePath)) return;
  for (const one of given.timelinePath) {
    const minutes = Number(one?.durationMinutesOffsetFromStartTime);
    const at = one?.time ? timeOf(one.time) : from + minutes * MINUTE;
    addPlace(placeOf(one?.point), at, points);
  }
}

/** @param {any} location @returns {[number, number]} */
function place7(location) { return [location?.longitudeE7 / E7, location?.latitudeE7 / E7]; }

/**
 * «48.85°, 2.35°» or «geo:48.85,2.35».
 * @param {unknown} text @returns {[number, number] | null}
 */
function placeOf(text) {
  const found = typeof text === 'string'
    ? /^(?:geo:)?\s*(-?\d+(?:\.\d+)?)°?\s*,\s*(-?\d+(?:\.\d+)?)°?\s*$/.exec(text) : null;
  return found && [Number(found[2]), Number(found[1])];
}

/** @param {any} duration @returns {[number, number]} */
function during(duration) {
  return [timeOf(duration?.startTimestamp, duration?.startTimestampMs),
    timeOf(duration?.endTimestamp, duration?.endTimestampMs)];
}

/** @param {unknown} text RFC 3339 @param {unknown} [milliseconds] since 1970, as older exports have it */
function timeOf(text, milliseconds) {
  if (typeof text === 'string') return Date.parse(text);
  return milliseconds === undefined || milliseconds === null ? NaN : Number(milliseconds);
}

/** @param {[number, number] | null} place @param {number} time @param {Points} points */
function addPlace(place, time, points) {
  // Half of the segments have no place of their own: that is no fault of the file.
  if (place && Number.isFinite(place[0])) points.add(place[0], place[1], time);
}

/** @param {[number, number] | null} place @param {number} from @param {number} to @param {Points} points */
function stay(place, from, to, points) {
  addPlace(place, from, points);
  if (to > from) addPlace(place, to, points);
}
