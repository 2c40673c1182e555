// @ts-check
// Keeps the source of the drawn clusters up to date with the loaded tiles of devices.

import { familyOf } from '../taxonomies.js';
import { drawnClusters } from './clusters.js';
import { DEVICES } from './device-layers.js';
import { CLUSTER } from './markers.js';

/** @typedef {import('../types').FeatureCollection} FeatureCollection */

const SOURCE = 'devices';
const PAUSE = 150; // milliseconds until clusters of some tiles are drawn while others are still loading

export class ClusterSource {
  /**
   * @param {any} map the MapLibre map @param {number} lastZoom the highest zoom with tiles
   * @param {(features: FeatureCollection) => void} show
   */
  constructor(map, lastZoom, show) {
    this.map = map;
    this.lastZoom = lastZoom;
    this.show = show;
    this.shown = '';
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    map.on('sourcedata', (/** @type {{sourceId?: string}} */ event) => {
      if (event.sourceId === SOURCE) this.refresh();
    });
    map.on('moveend', () => this.refresh());
    map.on('remove', () => clearTimeout(this.timer));
  }

  refresh() {
    if (!this.map.getLayer(DEVICES)) return;
    if (this.map.isSourceLoaded(SOURCE)) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.draw();
    } else this.timer ??= setTimeout(() => { this.timer = undefined; this.draw(); }, PAUSE);
  }

  draw() {
    if (!this.map.getSource(SOURCE)) return;
    const zoom = Math.min(this.lastZoom, Math.floor(this.map.getZoom()));
    // While tiles load, tiles of other zooms replace them. Their clusters would count the same devices again.
    const found = this.map.querySourceFeatures(SOURCE, { sourceLayer: 'clusters' })
      .filter((/** @type {{_z?: number}} */ { _z: level }) => level === undefined || level === zoom);
    if (!found.length && !this.map.isSourceLoaded(SOURCE)) return;
    const features = drawnClusters(found, zoom, CLUSTER, familyOf);
    const text = JSON.stringify(features);
    if (text === this.shown) return;
    this.shown = text;
    this.show({ type: 'FeatureCollection', features });
  }

  /** The style was replaced: the next tiles are drawn even if they are the same. */
  forget() {
    this.shown = '';
  }
}
