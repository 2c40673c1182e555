// @ts-check
// File formats for downloading devices.

/** In the order of the dialog. Each has a name and a line about its purpose. */
export const FORMATS = Object.freeze([
  'csv', 'csv_excel', 'xlsx', 'geojson', 'geojsonl', 'geojsons', 'gpkg', 'fgb', 'parquet', 'osm', 'osm.json',
]);

/**
 * The ending of the file.
 * @param {string} format
 */
export function formatEnding(format) { return format === 'csv_excel' ? 'csv' : format; }

/**
 * URL of the file.
 * @param {string} format @param {URLSearchParams} filters @param {string | null} box
 */
export function exportAddress(format, filters, box) {
  const query = new URLSearchParams(filters);
  if (box) query.set('bbox', box);
  // Excel takes UTF-8 for another encoding without a byte order mark.
  if (format === 'csv_excel') query.set('bom', 'true');
  const text = query.toString();
  return `/api/exports/devices.${formatEnding(format)}${text ? `?${text}` : ''}`;
}

/**
 * Part of the translation keys of a format.
 * @param {string} format
 */
export function formatKey(format) { return format.replace('.', '_'); }
