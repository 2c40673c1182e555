// @ts-check
// The positions of a sample of rows, and whether latitude and longitude are swapped. Pure.

/** @typedef {import('../geography.js').Position} Position longitude, latitude */
/**
 * @typedef {object} Placed
 * @property {Position[]} points usable positions
 * @property {number} missing rows without both coordinates
 * @property {number} outside rows whose numbers are no degrees
 * @property {number} zero rows at 0, 0
 */

/** Positions sent to the server to name their countries. */
export const ASKED = 20;
/** A larger number of metres or of degrees times a power of ten is no degree. */
const MOST = 180;

/**
 * @param {readonly (Position | null)[]} pairs longitude and latitude of each row
 * @returns {Placed}
 */
export function placed(pairs) {
  /** @type {Placed} */
  const found = { points: [], missing: 0, outside: 0, zero: 0 };
  for (const pair of pairs) {
    const [longitude, latitude] = pair ?? [NaN, NaN];
    if (!pair) found.missing += 1;
    else if (Math.abs(longitude) > MOST || Math.abs(latitude) > 90) found.outside += 1;
    else {
      if (longitude === 0 && latitude === 0) found.zero += 1;
      found.points.push([longitude, latitude]);
    }
  }
  return found;
}

/**
 * Some of the positions, spread over the list.
 * @param {readonly Position[]} points @param {number} [most]
 */
export function some(points, most = ASKED) {
  const step = Math.max(points.length / most, 1);
  return Array.from({ length: Math.min(points.length, most) }, (_, place) => points[Math.floor(place * step)]);
}

/**
 * The box of positions: west, south, east, north; null without any.
 * @param {readonly Position[]} points
 */
export function boxOf(points) {
  if (!points.length) return null;
  const [longitudes, latitudes] = [points.map(([longitude]) => longitude), points.map(([, latitude]) => latitude)];
  return /** @type {import('../geography.js').Box} */ ([
    Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes),
  ]);
}

/**
 * Whether numbers are metres of a map projection or whole-number degrees, which are not read.
 * @param {Placed} found
 */
export function areNoDegrees({ points, outside }) {
  return outside > 0 && outside * 2 > points.length + outside;
}

/** @typedef {{code: string | null, name: string | null, count: number}} Country */

/**
 * The countries of positions with the number of positions in each, most first; `null` in the open sea or far from
 * any town.
 * @param {({country: string | null, country_name: string | null} | null)[]} places
 * @returns {Country[]}
 */
export function countriesOf(places) {
  /** @type {Map<string | null, Country>} */
  const counts = new Map();
  for (const place of places) {
    const code = place?.country ?? null;
    const known = counts.get(code) ?? { code, name: place?.country_name ?? code, count: 0 };
    counts.set(code, { ...known, count: known.count + 1 });
  }
  return [...counts.values()].sort((one, other) => other.count - one.count);
}

/**
 * The evidence for one of the two orders of the coordinates.
 * @typedef {object} Evidence
 * @property {number} usable positions within the range of degrees
 * @property {number} nowhere positions asked that are far from any town
 * @property {number} asked
 * @property {number} devices devices of this map in their area
 */

/**
 * Whether latitude and longitude are probably swapped: most numbers are degrees only when swapped, or the positions are
 * in the open sea and when swapped on land, or this map has devices only in the area of the swapped ones.
 * @param {Evidence} given @param {Evidence} turned
 */
export function areSwapped(given, turned) {
  if (turned.usable >= 2 * given.usable && turned.usable > given.usable) return true;
  if (given.usable >= 2 * turned.usable && given.usable > turned.usable) return false;
  const share = (/** @type {Evidence} */ { nowhere, asked }) => (asked ? nowhere / asked : 0);
  if (share(given) - share(turned) >= 0.4) return true;
  if (share(turned) - share(given) >= 0.4) return false;
  return given.devices === 0 && turned.devices > 0;
}
