// @ts-check
// The map: base map, devices, the selected device and its field of view. Independent of the list next to it.

import { connection } from '../api.js';
import { prefersStillness } from '../dom.js';
import { boxOfView, normalBox, wrapLongitude } from '../geography.js';
import { DETAILS } from './base-style.js';
import { ClusterSource } from './cluster-source.js';
import { CHOSEN, CLUSTERS } from './device-layers.js';
import { DRAFT } from './draft-layers.js';
import { FIRST_ZOOM, graticule } from './graticule.js';
import { HEAT } from './heat-layers.js';
import { libraryMap, prepareMap } from './library-map.js';
import { mapStyle, NOTHING, overlays } from './map-style.js';
import { placeAround, placeInView } from './named-places.js';
import { OUTLINE } from './outline-layers.js';
import { creditSatellite, SATELLITE } from './satellite.js';
import { hasStreets, streetsInView } from './street-maps.js';
import { WAYS } from './way-layers.js';

/** @typedef {import('../geography.js').View} View */
/** @typedef {import('../geography.js').Box} Box */
/** @typedef {import('../geography.js').Position} Position */
/** @typedef {import('../page/start.js').Settings} Settings */
/** @typedef {import('../devices/device.js').Device} Device */
/**
 * Pixels of the map that other elements cover.
 * @typedef {{top: number, right: number, bottom: number, left: number}} Padding
 */
/** @typedef {import('../types').FeatureCollection} FeatureCollection */
/** @typedef {import('./heat.js').HeatKind} HeatKind */
/**
 * Pixels at the edges of the visible map that controls and cards cover.
 * @typedef {Padding} Insets
 */

const CLEAR = Object.freeze({ top: 0, right: 0, bottom: 0, left: 0 });
const MARGIN = 40; // pixels around a device that must be visible as well
const TILES = '/api/tiles/devices/{z}/{x}/{y}.mvt';
/** Sources served by this server. */
const OWN = /^(base|devices|streets-\d+)$/;

/**
 * @typedef {object} MapOptions
 * @property {HTMLElement} container
 * @property {Settings} settings
 * @property {View} view
 * @property {'light' | 'dark'} theme
 * @property {string} language
 * @property {string | null} filters query of the tiles; null: draw only the selected device
 * @property {string[]} [shown] ids of the further collections that are visible from the start
 * @property {number} lastZoom the highest zoom with device tiles
 * @property {boolean} [isEmbedded] whether the map is in a frame on another site: its requests contain no cookie, and a
 *   page can be scrolled over it
 */

/**
 * Draws a map. Throws if the browser has no WebGL.
 * @param {MapOptions & {categories: string[]}} options `categories`: the symbols that the map needs from the start
 */
export async function createMap(options) {
  await prepareMap(options.categories);
  return new MapView(options);
}

export class MapView {
  /** @param {MapOptions} options */
  constructor(options) {
    this.options = options;
    this.filters = options.filters;
    /** @type {string[]} ids of the visible further collections, and `satellite` */
    this.shown = options.shown ?? [];
    /** @type {{kind: HeatKind, features: FeatureCollection} | null} the heat map; null while it is off */
    this.heat = null;
    /** @type {FeatureCollection} */
    this.clusters = NOTHING;
    /** @type {Device | null} */
    this.chosen = null;
    /** @type {Position | null} */
    this.here = null;
    /** @type {Box | import('../types').Feature | null} */
    this.outlined = null;
    /** @type {FeatureCollection} */
    this.draft = NOTHING;
    /** @type {FeatureCollection} */
    this.ways = NOTHING;
    /** Whether the base map has neither streets nor any detail in view. */
    this.isBare = false;
    /** The view whose lines are drawn; empty without lines. */
    this.linesFor = '';
    /** Whether the style can be changed. MapLibre's `isStyleLoaded` waits for all tiles as well. */
    this.isStyled = false;
    /** Indices of the street maps in the style: those that were in view. */
    this.streets = streetsInView(options.settings, options.view.zoom,
      boxOfView(options.view, options.container.clientWidth, options.container.clientHeight));
    this.map = libraryMap(options, mapStyle(this));
    this.map.on('styledataloading', () => { this.isStyled = false; });
    this.map.on('style.load', () => { this.isStyled = true; });
    this.map.on('idle', () => this.drawLines());
    this.map.on('move', () => this.addStreets());
    this.clusterSource = new ClusterSource(this.map, options.lastZoom, (features) => {
      this.clusters = features;
      this.drawClusters();
    });
    this.map.on('error', (/** @type {{error?: {status?: number}, sourceId: string}} */ event) => {
      const status = event.error?.status;
      if (OWN.test(event.sourceId) && (!status || status >= 502)) connection.reportOutage();
    });
    connection.onRecovery(() => this.reload());
  }

  /**
   * Draws the current features of an overlay.
   * @param {string} name
   */
  drawOverlay(name) {
    this.whenReady(() => {
      const data = overlays(this)[name];
      const source = this.map.getSource(name);
      if (source) source.setData(data);
      else if (data.features.length) this.map.setStyle(mapStyle(this));
    });
  }

  /** Draws the current clusters. Their source too exists only while there are some. */
  drawClusters() {
    this.whenReady(() => {
      const source = this.map.getSource(CLUSTERS);
      if (source) source.setData(this.clusters);
      else if (this.clusters.features.length) this.map.setStyle(mapStyle(this));
    });
  }

  /** Adds the street maps that came into view to the style. */
  addStreets() {
    const added = streetsInView(this.options.settings, this.map.getZoom(), this.outerBox)
      .filter((index) => !this.streets.includes(index));
    if (!added.length) return;
    this.streets = [...this.streets, ...added];
    this.whenReady(() => this.map.setStyle(mapStyle(this)));
  }

  /** The visible further collections. */
  get collections() {
    return this.shown.filter((id) => id !== SATELLITE);
  }

  /** Lines at round coordinates if the map shows no other feature to go by. */
  lines() {
    return this.map && this.isBare ? graticule(this.view) : NOTHING;
  }

  /** Whether streets, coasts, borders, waters or places are in view. */
  hasDetail() {
    const { longitude, latitude } = this.view;
    if (this.shown.includes(SATELLITE)) return true;
    if (hasStreets(this.options.settings, [longitude, latitude])) return true;
    const layers = DETAILS.filter((id) => this.map.getLayer(id));
    return this.map.queryRenderedFeatures({ layers }).length > 0;
  }

  /** Draws the lines, or removes them. Called when the map is idle, because only then its content is known. */
  drawLines() {
    const { longitude, latitude, zoom } = this.view;
    this.isBare = zoom >= FIRST_ZOOM - 0.5 && !this.hasDetail();
    const drawn = this.isBare ? `${longitude} ${latitude} ${zoom}` : '';
    if (drawn === this.linesFor) return;
    this.linesFor = drawn;
    this.drawOverlay('graticule');
  }

  /** The template of the addresses of tiles with devices. */
  tiles() {
    return `${location.origin}${TILES}${this.filters ? `?${this.filters}` : ''}`;
  }

  /** @param {() => void} act called as soon as the style can be changed */
  whenReady(act) {
    if (this.isStyled) act();
    else this.map.once('style.load', act);
  }

  /** @param {'light' | 'dark'} theme */
  setTheme(theme) {
    this.options.theme = theme;
    this.whenReady(() => this.map.setStyle(mapStyle(this)));
  }

  /** @param {string} filters query of the tiles */
  setFilters(filters) {
    if (filters === this.filters) return;
    this.filters = filters;
    this.clusters = NOTHING; // of the previous filters
    this.clusterSource.forget();
    // A new source instead of setTiles: MapLibre keeps a tile if its ETag did not change. The server’s ETag is the
    // version of the data and does not depend on the filters.
    this.whenReady(() => this.map.setStyle(mapStyle(this)));
  }

  /**
   * Shows these further collections and aerial images below the devices, and hides all others.
   * @param {string[]} ids
   */
  showCollections(ids) {
    this.shown = ids;
    creditSatellite(ids.includes(SATELLITE));
    this.whenReady(() => this.map.setStyle(mapStyle(this)));
  }

  /**
   * Shows a heat map instead of devices and clusters, or hides it.
   * @param {{kind: HeatKind, features: FeatureCollection} | null} heat for the layers of heat-layers.js; null: off
   */
  showHeat(heat) {
    const isNew = this.heat?.kind !== heat?.kind;
    this.heat = heat;
    this.whenReady(() => {
      if (isNew) this.map.setStyle(mapStyle(this));
      else this.map.getSource(HEAT)?.setData(heat?.features);
    });
  }

  /** Requests the tiles with devices again. */
  reloadDevices() {
    this.whenReady(() => { if (this.map.getSource('devices')) this.map.refreshTiles('devices'); });
  }

  /** Requests all tiles again after an outage of the server. */
  reload() {
    this.whenReady(() => {
      for (const name of Object.keys(this.map.getStyle().sources)) {
        if (OWN.test(name)) this.map.refreshTiles(name);
      }
    });
  }

  /**
   * Highlights one device.
   * @param {Device | null} device
   */
  choose(device) {
    this.chosen = device;
    this.drawOverlay(CHOSEN);
  }

  /**
   * Draws a device that the user is describing.
   * @param {FeatureCollection} features for the layers of draft-layers.js
   */
  describe(features) {
    this.draft = features;
    this.drawOverlay(DRAFT);
  }

  /**
   * Draws ways and their ends.
   * @param {FeatureCollection} features for the layers of way-layers.js
   */
  showWays(features) {
    this.ways = features;
    this.drawOverlay(WAYS);
  }

  /**
   * Marks the reader’s position.
   * @param {Position | null} position
   */
  markHere(position) {
    this.here = position;
    this.drawOverlay('here');
  }

  /**
   * Outlines the place that the user searched for.
   * @param {Box | import('../types').Feature | null} box
   */
  outline(box) {
    this.outlined = box;
    this.drawOverlay(OUTLINE);
  }

  /** @returns {View} */
  get view() {
    const { lng, lat } = this.map.getCenter();
    return { longitude: wrapLongitude(lng), latitude: lat, zoom: this.map.getZoom() };
  }

  /**
   * The part of the map that nothing covers.
   * @returns {Box}
   */
  get box() {
    const { clientWidth, clientHeight } = this.options.container;
    const { top, right, bottom, left } = this.map.getPadding();
    const upper = this.map.unproject([left, top]);
    const lower = this.map.unproject([
      Math.max(left + 1, clientWidth - right), Math.max(top + 1, clientHeight - bottom),
    ]);
    return normalBox(upper.lng, lower.lat, lower.lng, upper.lat);
  }

  /**
   * The whole map, including the covered part.
   * @returns {Box}
   */
  get outerBox() {
    const bounds = this.map.getBounds();
    return normalBox(bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth());
  }

  /** @param {Padding} padding @param {boolean} [keep] whether the centre of the map stays at the same pixel */
  setPadding(padding, keep = false) {
    if (keep) this.map.easeTo({ padding, duration: prefersStillness() ? 0 : 250 });
    else this.map.setPadding(padding);
  }

  /**
   * Moves the map without an animation.
   * @param {View} view
   */
  jump({ longitude, latitude, zoom }) {
    this.map.jumpTo({ center: [longitude, latitude], zoom });
  }

  /** @param {Position} position @param {number} zoom @param {Insets} [insets] */
  fly(position, zoom, insets = CLEAR) {
    this.map.flyTo({
      center: position, zoom, offset: middleOf(insets), maxDuration: 1_800, speed: 1.8, essential: false,
    });
  }

  /** @param {Box} box @param {number} [maxZoom] */
  fit(box, maxZoom = 15) {
    const [west, south, , north] = box;
    const east = box[2] < west ? box[2] + 360 : box[2];
    this.map.fitBounds([[west, south], [east, north]], { padding: 32, maxZoom, maxDuration: 1_800, speed: 1.8 });
  }

  /**
   * Moves the map if a point is outside its visible part, or below something that covers it.
   * @param {Position} position @param {Insets} [insets]
   */
  reveal(position, insets = CLEAR) {
    const { clientWidth, clientHeight } = this.options.container;
    const padding = this.map.getPadding();
    const point = this.map.project(position);
    const isSeen = point.x >= padding.left + insets.left + MARGIN
      && point.x <= clientWidth - padding.right - insets.right - MARGIN
      && point.y >= padding.top + insets.top + MARGIN
      && point.y <= clientHeight - padding.bottom - insets.bottom - MARGIN;
    if (isSeen) return;
    this.map.easeTo({ center: position, offset: middleOf(insets), duration: prefersStillness() ? 0 : 450 });
  }

  /** @param {1 | -1} steps */
  zoomBy(steps) {
    this.map.easeTo({ zoom: this.map.getZoom() + steps, duration: prefersStillness() ? 0 : 250 });
  }

  /** @param {number} x share of the window to move east @param {number} y to move south */
  pan(x, y) {
    const { clientWidth, clientHeight } = this.options.container;
    this.map.panBy([x * clientWidth, y * clientHeight], { duration: prefersStillness() ? 0 : 250 });
  }

  /**
   * The town or village that a point belongs to, if the map has drawn its surroundings.
   * @param {Position} position
   */
  placeAround(position) {
    return placeAround(this.map, position, this.options.language);
  }

  /** The place that describes the view best: important and near the centre. */
  get nearestPlace() {
    return placeInView(this.map, this.options.container, this.options.language);
  }
}

/**
 * The middle of the clear part of the map, from the middle of its visible part.
 * @param {Insets} insets
 */
function middleOf({ top, right, bottom, left }) {
  return [(left - right) / 2, (top - bottom) / 2];
}
