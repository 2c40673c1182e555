// @ts-check
// Which way a device looks: degrees clockwise from north, 0 up to 360. Pure.

/** Degrees of view where nobody says: what a map draws. */
export const ASSUMED_VIEW = 60;

/** Most directions one record may hold here: a head with more lenses looks all around. */
export const MOST_DIRECTIONS = 8;

/**
 * Any angle as one from 0 up to 360, whole.
 * @param {number} degrees
 */
export function direction(degrees) {
  return ((Math.round(degrees) % 360) + 360) % 360;
}

/**
 * The direction from a dial's middle to a point of it; y runs down, as on a screen.
 * @param {number} x @param {number} y
 */
export function directionOf(x, y) {
  return direction((Math.atan2(x, -y) * 180) / Math.PI);
}

/**
 * To the nearest of 16 winds when within `reach` degrees of it: a hand on a dial is not that exact.
 * @param {number} degrees @param {number} [reach]
 */
export function snapped(degrees, reach = 3) {
  const near = Math.round(degrees / 22.5) * 22.5;
  return direction(Math.abs(degrees - near) <= reach ? near : degrees);
}

/**
 * Where a key turns a direction to, or null for a key that turns nothing.
 * @param {number} degrees @param {string} key as KeyboardEvent names it @param {boolean} [far] with Shift
 */
export function turned(degrees, key, far = false) {
  const step = far ? 45 : 5;
  switch (key) {
    case 'ArrowRight': case 'ArrowUp': return direction(degrees + step);
    case 'ArrowLeft': case 'ArrowDown': return direction(degrees - step);
    case 'PageUp': return direction(degrees + 45);
    case 'PageDown': return direction(degrees - 45);
    case 'Home': return 0;
    case 'End': return 180;
    default: return null;
  }
}

/**
 * A direction to begin a further one with: the middle of the widest gap.
 * @param {number[]} taken
 */
export function freeDirection(taken) {
  if (!taken.length) return 0;
  const sorted = [...taken].sort((a, b) => a - b);
  let best = 0;
  let widest = -1;
  sorted.forEach((from, index) => {
    const to = index + 1 < sorted.length ? sorted[index + 1] : sorted[0] + 360;
    if (to - from > widest) {
      widest = to - from;
      best = from + (to - from) / 2;
    }
  });
  return direction(best);
}

/**
 * The slice that a device sees, as the path of an SVG around 0,0; a full circle from 360 degrees.
 * @param {number} degrees @param {number} view degrees @param {number} radius
 */
export function slicePath(degrees, view, radius) {
  const at = (/** @type {number} */ angle) => {
    const turn = (angle * Math.PI) / 180;
    return `${(Math.sin(turn) * radius).toFixed(2)} ${(-Math.cos(turn) * radius).toFixed(2)}`;
  };
  if (view >= 360) return `M0 ${-radius}A${radius} ${radius} 0 1 1 0 ${radius}A${radius} ${radius} 0 1 1 0 ${-radius}Z`;
  const large = view > 180 ? 1 : 0;
  return `M0 0L${at(degrees - view / 2)}A${radius} ${radius} 0 ${large} 1 ${at(degrees + view / 2)}Z`;
}
