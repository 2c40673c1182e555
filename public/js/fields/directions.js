// @ts-check
// Directions in degrees clockwise from north, from 0 to below 360. Pure.

/** Field of view in degrees that the map draws for a record without one. */
export const ASSUMED_VIEW = 60;

/** Maximum number of directions in one record. A device with more lenses observes all around. */
export const MOST_DIRECTIONS = 8;

/**
 * Normalises an angle to a whole number from 0 to below 360.
 * @param {number} degrees
 */
export function direction(degrees) {
  return ((Math.round(degrees) % 360) + 360) % 360;
}

/**
 * The direction from the centre of a dial to a point. The y axis points down, as on a screen.
 * @param {number} x @param {number} y
 */
export function directionOf(x, y) {
  return direction((Math.atan2(x, -y) * 180) / Math.PI);
}

/**
 * Snaps to the nearest of 16 compass points within `reach` degrees, because input on a dial is
 * imprecise.
 * @param {number} degrees @param {number} [reach]
 */
export function snapped(degrees, reach = 3) {
  const near = Math.round(degrees / 22.5) * 22.5;
  return direction(Math.abs(degrees - near) <= reach ? near : degrees);
}

/**
 * The direction after a key press; null for a key without an effect.
 * @param {number} degrees
 * @param {string} key value of KeyboardEvent.key
 * @param {boolean} [far] whether Shift is pressed
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
 * Initial value for a further direction: the middle of the widest gap.
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
 * SVG path around 0,0 of the sector that a device observes; a full circle from 360 degrees.
 * @param {number} degrees
 * @param {number} view angle of the sector in degrees
 * @param {number} radius
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
