// @ts-check
// What a click on a cluster does. It always opens: closer in, or as a list where closer shows nothing new.

/** @typedef {import('../geography.js').Box} Box */
/** @typedef {{action: 'list', box: Box} | {action: 'fit', box: Box}} ClusterAction */

const POINT = 2e-6; // degrees, 20 cm: devices closer than this stand at one spot
const GRAIN = 1e-6; // degrees added around a spot so that rounding leaves nobody out

/**
 * @param {{west: number, south: number, east: number, north: number, stack?: boolean}} cluster edges of
 *   its members; `stack`: they stand at one spot
 * @param {number} zoom where the map is
 * @param {number} lastZoom the deepest zoom that has tiles of its own
 * @returns {ClusterAction}
 */
export function clusterAction(cluster, zoom, lastZoom) {
  const { west, south, north } = cluster;
  const east = cluster.east < west ? cluster.east + 360 : cluster.east;
  const spot = cluster.stack === true || (east - west < POINT && north - south < POINT);
  // Tiles of a zoom are drawn from half a step before it; past the last, nothing new comes.
  if (spot || zoom >= lastZoom + 0.5) {
    return { action: 'list', box: [west - GRAIN, south - GRAIN, cluster.east + GRAIN, north + GRAIN] };
  }
  return { action: 'fit', box: [west, south, east, north] };
}

/**
 * How far to go in: as far as the members fit, at least one step, never past where they fall apart.
 * @param {number} zoom where the map is
 * @param {number} fitting where all members fit the window
 * @param {number} lastZoom
 */
export function openingZoom(zoom, fitting, lastZoom) {
  return Math.min(Math.max(fitting, zoom + 1), Math.max(lastZoom + 1, zoom));
}

/**
 * «1.2k»: at most four characters.
 * @param {number} count
 */
export function shortCount(count) {
  if (count < 1_000) return String(count);
  if (count < 9_950) return `${(count / 1_000).toFixed(1).replace('.0', '')}k`;
  if (count < 999_500) return `${Math.round(count / 1_000)}k`;
  return `${(count / 1_000_000).toFixed(1).replace('.0', '')}M`;
}
