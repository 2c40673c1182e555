// @ts-check
// Which street maps an instance serves, and where. Pure.

/** @typedef {import('../page/start.js').Settings} Settings */
/** @typedef {import('../page/start.js').TileSet} TileSet */
/** @typedef {import('../geography.js').Position} Position */

/**
 * Whether a map shows more than coasts and names at a place.
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
 * The source of a street map in the map's style.
 * @param {number} index
 */
export const streetSource = (index) => `streets-${index}`;

/**
 * Whose map it is: each maker once.
 * @param {Settings} settings
 */
export function mapMakers(settings) {
  const { base_map: base, streets, tile_url: outside } = settings;
  const makers = [base, ...streets, outside].flatMap((map) => map?.attribution ?? []);
  return [...new Set(makers)].filter(Boolean);
}
