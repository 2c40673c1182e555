// @ts-check
// The effect of a click on a cluster. It always opens: by zooming in, or as a list if zooming in shows nothing new.

/** @typedef {import('../geography.js').Box} Box */
/** @typedef {{action: 'list', box: Box} | {action: 'fit', box: Box}} ClusterAction */

const POINT = 2e-6; // degrees, 20 cm: devices closer than this count as one place
const GRAIN = 1e-6; // degrees added around a place so that rounding excludes no device

/**
 * @param {{west: number, south: number, east: number, north: number, stack?: boolean}} cluster bounding box of
 *   its members; `stack`: all members are at one place
 * @param {number} zoom current zoom of the map
 * @param {number} lastZoom the highest zoom with tiles
 * @returns {ClusterAction}
 */
export function clusterAction(cluster, zoom, lastZoom) {
  const { west, south, north } = cluster;
  const east = cluster.east < west ? cluster.east + 360 : cluster.east;
  const spot = cluster.stack === true || (east - west < POINT && north - south < POINT);
  // The map uses the tiles of a zoom level from half a level before it. Past the last level there are no new tiles.
  if (spot || zoom >= lastZoom + 0.5) {
    return { action: 'list', box: [west - GRAIN, south - GRAIN, cluster.east + GRAIN, north + GRAIN] };
  }
  return { action: 'fit', box: [west, south, east, north] };
}

/**
 * The zoom to go to: the whole cluster fits the window, at least one level closer, never past `lastZoom`.
 * @param {number} zoom current zoom of the map
 * @param {number} fitting zoom at which all members fit the window
 * @param {number} lastZoom
 */
export function openingZoom(zoom, fitting, lastZoom) {
  return Math.min(Math.max(fitting, zoom + 1), Math.max(lastZoom + 1, zoom));
}
