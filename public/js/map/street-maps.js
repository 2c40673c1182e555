// @ts-check
// The street maps of an instance and their areas. Pure functions.

/** @typedef {import('../page/start.js').Settings} Settings */
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
