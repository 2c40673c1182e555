// @ts-check
// The arrow of the street walk: directions in degrees clockwise from north, and their words. Pure.

import { HERE } from './order.js';

/** Eight directions, clockwise from the front. */
const WAYS = Object.freeze([
  'ahead', 'ahead_right', 'right', 'behind_right', 'behind', 'behind_left', 'left', 'ahead_left',
]);
const POINTS = Object.freeze([
  'north', 'north_east', 'east', 'south_east', 'south', 'south_west', 'west', 'north_west',
]);
/** Metres at which a screen reader hears the distance again. */
const BANDS = Object.freeze([HERE, 25, 50, 100, 200, 500, 1_000]);

/** @param {number} degrees from 0 to below 360 */
function whole(degrees) { return ((degrees % 360) + 360) % 360; }

/**
 * The turn from a heading to a bearing, from -180 (exclusive) to 180: positive is to the right.
 * @param {number} bearing @param {number} heading
 */
export function turnTo(bearing, heading) {
  const turn = whole(bearing - heading);
  return turn > 180 ? turn - 360 : turn;
}

/**
 * The key of the words for a direction: as the person looks, or by the points of the compass.
 * @param {number} bearing @param {number | null} heading null: not known
 */
export function wayKey(bearing, heading) {
  const eighth = Math.round(whole(heading === null ? bearing : turnTo(bearing, heading)) / 45) % 8;
  return heading === null ? `walk.way.${POINTS[eighth]}` : `walk.way.${WAYS[eighth]}`;
}

/**
 * A heading between two readings, on the shorter way around.
 * @param {number | null} last @param {number} next @param {number} share of the new reading, 0 to 1
 */
export function smoothed(last, next, share) {
  return whole(last === null ? next : last + turnTo(next, last) * share);
}

/**
 * The heading of a reading of the compass; null without a heading.
 * @param {{absolute?: boolean, alpha: number | null, webkitCompassHeading?: number}} reading
 * @param {number} screen degrees by which the picture on the screen is turned
 */
export function headingOf({ absolute, alpha, webkitCompassHeading }, screen) {
  if (typeof webkitCompassHeading === 'number') return whole(webkitCompassHeading + screen);
  // `alpha` grows counterclockwise.
  return absolute && typeof alpha === 'number' ? whole(360 - alpha + screen) : null;
}

/** @param {number} metres the number of distances that it is beyond */
function band(metres) { return BANDS.filter((limit) => metres > limit).length; }

/**
 * Whether a screen reader should hear the way again: another device, a shorter distance, or another direction.
 * @param {{id: string, metres: number, way: string} | null} last @param {{id: string, metres: number, way: string}} now
 */
export function isNews(last, now) {
  if (!last || last.id !== now.id) return true;
  if (band(now.metres) !== band(last.metres)) return true;
  return now.metres > HERE && now.way !== last.way;
}
