// @ts-check
// Handles clicks, taps and the pointer over the map.

import { clusterAction, openingZoom } from './cluster.js';
import { CLUSTERS, DEVICES } from './device-layers.js';

/** @typedef {import('./map-view.js').MapView} MapView */
/** @typedef {import('../geography.js').Box} Box */
/** @typedef {{x: number, y: number}} Pixel */
/** @typedef {{point: Pixel, lngLat: {lng: number, lat: number}}} PointerEvent a MapLibre event */
/**
 * @typedef {object} MapActs
 * @property {(position: [number, number]) => boolean} tapped returns true if it used the tap
 * @property {(id: string, position: [number, number]) => void} device
 * @property {(box: Box) => void} spot
 * @property {() => void} nothing
 * @property {(point: Pixel) => void} context called for a tap outside all markers, after `nothing`
 */

const REACH = 9; // pixels around a tap: together with the marker this makes a target of 44 px

/** @param {MapView} view @param {MapActs} act */
export function listenToMap(view, act) {
  const { map } = view;
  map.on('click', (/** @type {PointerEvent} */ event) => {
    if (act.tapped([event.lngLat.lng, event.lngLat.lat])) return undefined;
    const found = nearest(view, event.point);
    if (!found) {
      act.nothing();
      return act.context(event.point);
    }
    if (found.layer.id === DEVICES) {
      return act.device(found.properties.id, found.geometry.coordinates);
    }
    return open(view, found, act.spot);
  });
  map.on('mousemove', (/** @type {PointerEvent} */ event) => {
    if (map.isMoving()) return;
    map.getCanvas().style.cursor = nearest(view, event.point, 0) ? 'pointer' : '';
  });
}

/**
 * The marker closest to a point of the window.
 * @param {MapView} view @param {{x: number, y: number}} point @param {number} [reach]
 */
function nearest({ map }, point, reach = REACH) {
  const layers = [CLUSTERS, DEVICES].filter((id) => map.getLayer(id));
  const box = [[point.x - reach, point.y - reach], [point.x + reach, point.y + reach]];
  let best = null;
  let least = Infinity;
  for (const feature of map.queryRenderedFeatures(box, { layers })) {
    const at = map.project(feature.geometry.coordinates);
    const far = Math.hypot(at.x - point.x, at.y - point.y);
    if (far < least) {
      least = far;
      best = feature;
    }
  }
  return best;
}

/**
 * @param {MapView} view
 * @param {{properties: Parameters<typeof clusterAction>[0], geometry: {coordinates: [number, number]}}} cluster
 * @param {(box: Box) => void} showSpot
 */
function open(view, cluster, showSpot) {
  const { map, options: { lastZoom } } = view;
  const zoom = map.getZoom();
  const decision = clusterAction(cluster.properties, zoom, lastZoom);
  if (decision.action === 'list') {
    showSpot(decision.box);
    return;
  }
  const [west, south, east, north] = decision.box;
  const camera = map.cameraForBounds([[west, south], [east, north]], { padding: 48, maxZoom: lastZoom + 1 });
  const fitting = camera?.zoom ?? zoom + 2;
  const target = openingZoom(zoom, fitting, lastZoom);
  const center = fitting < target || !camera ? cluster.geometry.coordinates : camera.center;
  map.flyTo({ center, zoom: target, maxDuration: 1_200, speed: 2 });
}
