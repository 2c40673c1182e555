// @ts-check
// Clicks, taps and the pointer over the map.

import { clusterAction, openingZoom } from './cluster.js';
import { CLUSTERS, DEVICES } from './device-layers.js';

/** @typedef {import('./map-view.js').MapView} MapView */
/** @typedef {import('../geography.js').Box} Box */

const REACH = 9; // pixels around a tap: markers plus this make 44 px targets

/**
 * @param {MapView} view
 * @param {{tapped: (position: [number, number]) => boolean, device: (id: string, position: [number, number]) => void, spot: (box: Box) => void, nothing: () => void, context: (point: {x: number, y: number}) => void}} act
 *   `tapped` may take a tap for itself; `context` gets one beside all markers, after `nothing`
 */
export function listenToMap(view, act) {
  const { map } = view;
  map.on('click', (/** @type {any} */ event) => {
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
  map.on('mousemove', (/** @type {any} */ event) => {
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
 * @param {MapView} view @param {any} cluster @param {(box: Box) => void} showSpot
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
