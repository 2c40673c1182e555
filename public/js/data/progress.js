// @ts-check
// Counts the downloaded devices in the bytes of a file.

/** Bytes between two devices, for the formats that have such a separator. */
const MARKS = /** @type {Record<string, number[]>} */ ({
  csv: [0x0d, 0x0a], geojson: [0x0a], geojsonl: [0x0a], geojsons: [0x1e],
  osm: [0x0a, 0x3c, 0x2f], 'osm.json': [0x0a],
});
/** Number of separators before the first device. */
const BEFORE = /** @type {Record<string, number>} */ ({ csv: 1, geojson: 1, 'osm.json': 1, osm: 0 });

/**
 * Counts the devices in the pieces of a file. Returns null for a format without a separator. A
 * table cell may contain a separator too, so the count never exceeds the total.
 * @param {string} format
 * @param {number} total
 * @returns {((piece: Uint8Array) => number) | null} receives each piece and returns the number of devices so far
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
