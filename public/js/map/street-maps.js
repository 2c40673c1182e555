// @ts-check
// The street maps of an instance and their areas. Pure functions.

/** @typedef {import('../page/start.js').Settings} Settings */
/** @typedef {import('../geography.js').Box} Box */
/** @typedef {import('../geography.js').Position} Position */

/**
 * Whether a map shows more than coasts and names at a position.
 * @param {Settings} settings @param {Position} position
 */
export function hasStreets(settings, [longitude, latitude]) {
  return Boolean(settings.tile_url) || settings.streets.some(({ bounds }) => {
    if (!bounds) return true;
    const [west, south, east, north] = bounds;
    return longitude >= west && longitude <= east && latitude >= south && latitude <= north;
  });
}

/**
 * The indices of the street maps with tiles for a view. A style has only their layers, because each map needs twenty:
 * an instance with many maps would start slowly.
 * @param {Settings} settings @param {number} zoom of the view @param {Box} box of the view
 * @returns {number[]}
 */
export function streetsInView({ streets }, zoom, box) {
  return streets.flatMap(({ min_zoom: first, bounds }, index) => (
    zoom >= first - 1 && (!bounds || overlap(bounds, box)) ? [index] : []));
}

/**
 * Whether two boxes overlap. Boxes of street maps do not cross the antimeridian.
 * @param {number[]} bounds @param {Box} box
 */
function overlap([west, south, east, north], [left, lower, right, upper]) {
  const isAcross = left <= right ? left <= east && right >= west : left <= east || right >= west;
  return isAcross && lower <= north && upper >= south;
}

/**
 * The id of a street map’s source in the style of the map.
 * @param {number} index
 */
export const streetSource = (index) => `streets-${index}`;

/**
 * The attributions of the maps, each once.
 * @param {Settings} settings
 */
export function mapMakers(settings) {
  const { base_map: base, streets, tile_url: outside } = settings;
  const makers = [base, ...streets, outside].flatMap((map) => map?.attribution ?? []);
  return [...new Set(makers)].filter(Boolean);
}
