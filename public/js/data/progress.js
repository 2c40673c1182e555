// @ts-check
// How many devices of a file have come, told from its bytes.

/** The bytes between two devices, of the kinds of file that have them. */
const MARKS = /** @type {Record<string, number[]>} */ ({
  csv: [0x0d, 0x0a], geojson: [0x0a], geojsonl: [0x0a], geojsons: [0x1e],
  osm: [0x0a, 0x3c, 0x2f], 'osm.json': [0x0a],
});
/** Marks that belong to no device, before the first. */
const BEFORE = /** @type {Record<string, number>} */ ({ csv: 1, geojson: 1, 'osm.json': 1, osm: 0 });

/**
 * Counts the devices in the pieces of a file; null for a kind of file that does not show it.
 *
 * A cell of a table may hold a mark too, so the count is held to how many there are.
 * @param {string} format @param {number} total
 * @returns {((piece: Uint8Array) => number) | null} told each piece, says how many have come so far
 */
export function deviceCounter(format, total) {
  const mark = MARKS[format];
  if (!mark) return null;
  let found = -(BEFORE[format] ?? 0);
  let matched = 0;
  return (piece) => {
    for (const byte of piece) {
      if (byte === mark[matched]) matched += 1;
      else matched = byte === mark[0] ? 1 : 0;
      if (matched === mark.length) {
        found += 1;
        matched = 0;
      }
    }
    return Math.max(0, Math.min(found, total));
  };
}
