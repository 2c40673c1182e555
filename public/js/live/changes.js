// @ts-check
// Gathers live changes until the page shows them. Pure.

/** The changes since the page last showed its devices. */
export class GatheredChanges {
  constructor() {
    /** @type {Set<string>} ids of new devices */
    this.added = new Set();
    /** @type {Set<string>} ids of devices that changed or left */
    this.others = new Set();
    /** Whether there were too many changes to send one by one. */
    this.isFlooded = false;
  }

  /** @param {string} event name of the event @param {{id?: string}} data */
  take(event, { id = '' }) {
    if (event === 'reload') this.isFlooded = true;
    else if (event === 'added') this.added.add(id);
    else if (event === 'removed' && this.added.delete(id)) return; // added and removed: no change to show
    else if (!this.added.has(id)) this.others.add(id);
  }

  get isEmpty() { return !this.isFlooded && !this.added.size && !this.others.size; }

  clear() {
    this.added.clear();
    this.others.clear();
    this.isFlooded = false;
  }
}

/**
 * A box with half of its width and height on each side, so that small movements of the map need no other stream.
 * @param {import('../geography.js').Box} box
 * @returns {import('../geography.js').Box}
 */
export function widened([west, south, east, north]) {
  const width = widthOf([west, south, east, north]);
  const height = north - south;
  const [bottom, top] = [Math.max(-90, south - height / 2), Math.min(90, north + height / 2)];
  if (width >= 180) return [-180, bottom, 180, top];
  return [wrapped(west - width / 2), bottom, wrapped(east + width / 2), top];
}

/** @param {number} degrees of longitude, at most one turn too many */
function wrapped(degrees) {
  return degrees < -180 ? degrees + 360 : degrees > 180 ? degrees - 360 : degrees;
}

/** @param {import('../geography.js').Box} box */
function widthOf([west, , east]) {
  return west <= east ? east - west : east + 360 - west;
}

/**
 * Whether a box is inside another.
 * @param {import('../geography.js').Box} inner @param {import('../geography.js').Box} outer
 */
export function isWithin(inner, outer) {
  if (inner[1] < outer[1] || inner[3] > outer[3]) return false;
  if (widthOf(outer) >= 360) return true;
  const offset = (inner[0] - outer[0] + 360) % 360;
  return offset + widthOf(inner) <= widthOf(outer);
}
