// @ts-check
// The kinds of file that the devices can be taken as.

/** In the order of the dialog; each has a name and a line that says what it is for. */
export const FORMATS = Object.freeze(['csv', 'geojson', 'geojsonl', 'geojsons', 'gpkg', 'osm', 'osm.json']);

/**
 * Where the file is.
 * @param {string} format @param {URLSearchParams} filters @param {string | null} box
 */
export function exportAddress(format, filters, box) {
  const query = new URLSearchParams(filters);
  if (box) query.set('bbox', box);
  const text = query.toString();
  return `/api/exports/devices.${format}${text ? `?${text}` : ''}`;
}

/** Part of the keys of the words of a kind of file. @param {string} format */
export function formatKey(format) { return format.replace('.', '_'); }
