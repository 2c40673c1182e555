// @ts-check
// The tiles of a part of the map. Pure.

/** @typedef {import('../geography.js').Box} Box */

/** Degrees beyond which a tile pyramid ends. */
const EDGE = 85.0511;

/** @param {number} longitude */
const column = (longitude) => (longitude + 180) / 360;

/** @param {number} latitude */
function row(latitude) {
  const angle = (Math.max(-EDGE, Math.min(EDGE, latitude)) * Math.PI) / 180;
  return (1 - Math.log(Math.tan(angle) + 1 / Math.cos(angle)) / Math.PI) / 2;
}

/**
 * The addresses of the tiles that cover a box.
 * @param {string} template with {z}, {x} and {y}
 * @param {Box} box west, south, east, north
 * @param {number} zoom of the map; its tiles have the whole number below, at most `last`
 * @param {number} last the highest zoom with tiles
 * @param {number} most addresses
 * @returns {string[]}
 */
export function visibleTiles(template, [west, south, east, north], zoom, last, most) {
  const z = Math.max(0, Math.min(last, Math.floor(zoom)));
  const count = 2 ** z;
  const place = (/** @type {number} */ share) => Math.max(0, Math.min(count - 1, Math.floor(share * count)));
  const first = place(column(west));
  const width = west <= east ? place(column(east)) - first + 1 : place(column(east)) + count - first + 1;
  const [top, bottom] = [place(row(north)), place(row(south))];
  /** @type {string[]} */
  const found = [];
  for (let y = top; y <= bottom; y += 1) {
    for (let x = first; x < first + Math.min(width, count); x += 1) {
      if (found.length >= most) return found;
      found.push(template.replace('{z}', String(z)).replace('{x}', String(x % count)).replace('{y}', String(y)));
    }
  }
  return found;
}
