// @ts-check
// Mapping days as the interface has them, and what their pages make of them. Pure.

/** @typedef {import('../types').Position} Position */
/** @typedef {{type: 'polygon', coordinates: Position[][]}} DayArea */
/**
 * @typedef {object} MappingDay
 * @property {string} id
 * @property {string} title
 * @property {string} purpose
 * @property {DayArea} area
 * @property {{longitude: number, latitude: number, words: string | null} | null} meeting_point
 * @property {string} starts_at
 * @property {string} ends_at
 * @property {string} time_zone
 * @property {number} maximum
 * @property {string[]} kinds
 * @property {string[]} languages
 * @property {string[]} teams names
 * @property {'draft' | 'waiting' | 'approved' | 'rejected' | 'running' | 'over' | 'cancelled'} state
 * @property {string | null} reason
 * @property {string | null} version
 * @property {string | null} organiser
 * @property {number | null} people
 * @property {boolean} full
 * @property {string[]} names
 * @property {{participants: number, waiting: number, mails_left: number, starts: string, ends: string} | null} own
 * @property {{state: 'joined' | 'waiting', shows_name: boolean, position: number | null,
 *   team: string | null} | null} participation
 */
/**
 * @typedef {object} Progress
 * @property {MappingDay['state']} state
 * @property {number} added
 * @property {number} confirmed
 * @property {number} photographed
 * @property {number} corrected
 * @property {number} devices
 * @property {number} gone
 * @property {{hour: number, kind: string, count: number}[]} hours
 * @property {{category: string, count: number}[]} categories
 * @property {{name: string, contributions: number | null, people: number | null}[]} teams in the order of the plan
 * @property {number | null} devices_before
 * @property {number | null} devices_after
 * @property {number | null} people
 * @property {string} licence
 * @property {string} citation
 */

export const DAYS = '/api/mapping-days';
export const KINDS = /** @type {const} */ (['added', 'confirmed', 'photographed', 'corrected']);
/** The languages that a plan can name; the server knows a few more. */
export const LANGUAGES = Object.freeze([
  'pt', 'en', 'es', 'fr', 'de', 'it', 'nl', 'pl', 'ro', 'uk', 'ar', 'zh',
]);
const HOUR = 3_600_000; // milliseconds

/** @param {string} id */
export function addressOf(id) { return `${DAYS}/${encodeURIComponent(id)}`; }

/** @param {DayArea} area the corners without the repetition of the first @returns {Position[]} */
export function cornersOf(area) { return (area.coordinates[0] ?? []).slice(0, -1); }

/** @param {Position[]} corners @returns {DayArea} */
export function areaOf(corners) {
  return { type: 'polygon', coordinates: [[...corners, corners[0]]] };
}

/**
 * The box around an area.
 * @param {DayArea} area @returns {import('../geography.js').Box}
 */
export function boxOf(area) {
  const corners = cornersOf(area);
  const [east, north] = [corners.map(([longitude]) => longitude), corners.map(([, latitude]) => latitude)];
  return [Math.min(...east), Math.min(...north), Math.max(...east), Math.max(...north)];
}

/**
 * Whether a point is in an area, by the rule of the server: a line to the east crosses the edge an odd number of times.
 * @param {DayArea} area @param {Position} point
 */
export function isInside(area, [longitude, latitude]) {
  const corners = cornersOf(area);
  return corners.reduce((inside, [ax, ay], place) => {
    const [bx, by] = corners[(place + 1) % corners.length];
    if (ay > latitude === by > latitude) return inside;
    return longitude < ax + (latitude - ay) / (by - ay) * (bx - ax) ? !inside : inside;
  }, false);
}

/**
 * Corners that were typed, one in each line as latitude and longitude.
 * @param {string} text @returns {Position[] | null} null if a line is no corner
 */
export function readCorners(text) {
  const lines = text.split('\n').map((line) => line.trim()).filter(Boolean);
  const corners = lines.map((line) => line.split(/[\s;]+|,\s*(?=-?\d)/).filter(Boolean).map(Number));
  const isWhole = corners.every(([north, east, ...rest]) => (
    Math.abs(north) <= 90 && Math.abs(east) <= 180 && rest.length === 0));
  return isWhole && corners.length >= 3
    ? corners.map(([north, east]) => /** @type {Position} */ ([east, north])) : null;
}

/** @param {Position[]} corners */
export function writeCorners(corners) {
  return corners.map(([east, north]) => `${north}, ${east}`).join('\n');
}

/**
 * The contributions of each hour of a day until now, hours without any included.
 * @param {Pick<MappingDay, 'starts_at' | 'ends_at'>} day @param {Progress} progress @param {number} now milliseconds
 * @returns {{at: number, count: number}[]} `at`: when the hour begins, in milliseconds
 */
export function hoursOf(day, progress, now) {
  const start = Date.parse(day.starts_at);
  const end = Math.min(Date.parse(day.ends_at), Math.max(now, start + 1));
  const hours = Array.from({ length: Math.max(1, Math.ceil((end - start) / HOUR)) },
    (_, hour) => ({ at: start + hour * HOUR, count: 0 }));
  for (const { hour, count } of progress.hours) if (hours[hour]) hours[hour].count += count;
  return hours;
}

/**
 * The content of the map of a day, for the layers of draft-layers.js: its area, and a ring around each contribution.
 * @param {DayArea} area @param {Iterable<Position>} points
 * @returns {import('../types').FeatureCollection}
 */
export function drawingOf(area, points) {
  const feature = (/** @type {string} */ part, /** @type {any} */ geometry) => (
    /** @type {any} */ ({ type: 'Feature', properties: { part, hidden: true }, geometry }));
  return {
    type: 'FeatureCollection',
    features: [
      feature('cell', { type: 'Polygon', coordinates: area.coordinates }),
      ...[...points].map((coordinates) => feature('point', { type: 'Point', coordinates })),
    ],
  };
}
