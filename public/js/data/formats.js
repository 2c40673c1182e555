// @ts-check
// File formats for downloading devices.

/** In the order of the dialog. Each has a name and a line about its purpose. */
export const FORMATS = Object.freeze([
  'csv', 'xlsx', 'geojson', 'geojsonl', 'geojsons', 'gpkg', 'fgb', 'parquet', 'osm', 'osm.json',
]);

/**
 * URL of the file.
 * @param {string} format @param {URLSearchParams} filters @param {string | null} box
 */
export function exportAddress(format, filters, box) {
  const query = new URLSearchParams(filters);
  if (box) query.set('bbox', box);
  const text = query.toString();
  return `/api/exports/devices.${format}${text ? `?${text}` : ''}`;
}

/**
 * Part of the translation keys of a format.
 * @param {string} format
 */
export function formatKey(format) { return format.replace('.', '_'); }
