// @ts-check
// The map: base map, devices, the selected device and its field of view. Independent of the list next to it.

import { connection } from '../api.js';
import { prefersStillness } from '../dom.js';
import { distance, normalBox, wrapLongitude } from '../geography.js';
import { translate } from '../i18n.js';
import { fetchMaplibre, maplibre } from '../vendor.js';
import { baseLayers, baseSources } from './base-style.js';
import { chosenFeatures } from './chosen.js';
import { contextLayers, contextSources } from './context-layers.js';
import { CHOSEN, chosenLayers, deviceLayers } from './device-layers.js';
import { DRAFT, draftLayers } from './draft-layers.js';
import { BOLD, FONT } from './expressions.js';
import { graticule, graticuleLayers } from './graticule.js';
import { HEAT, heatLayers } from './heat-layers.js';
import { loadSymbols, provideImages } from './markers.js';
import { PALETTES } from './palette.js';
import { hasStreets } from './street-maps.js';

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

const AROUND = 30_000; // metres: the range of a large town; smaller for a hamlet
const TILES = '/api/tiles/devices/{z}/{x}/{y}.mvt';
export const MAX_ZOOM = 19;
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
 */

/**
 * Loads the library and images for a map. Throws if the library cannot be loaded.
 * @param {string[]} [categories] categories whose symbols the map needs from the start
 */
export async function prepareMap(categories = []) {
  await Promise.all([
    fetchMaplibre(), loadSymbols(categories), ...[FONT, BOLD].map((font) => document.fonts.load(`16px "${font}"`)),
  ]);
}

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
    /** @type {string[]} ids of the visible further collections */
    this.shown = options.shown ?? [];
    /** @type {FeatureCollection | null} cells of the heat map; null while it is off */
    this.heat = null;
    /** @type {Device | null} */
    this.chosen = null;
    /** @type {Position | null} */
    this.here = null;
    /** @type {FeatureCollection} */
    this.draft = { type: 'FeatureCollection', features: [] };
    const { longitude, latitude, zoom } = options.view;
    this.map = new (maplibre().Map)({
      container: options.container,
      style: this.style(),
      center: [longitude, latitude],
      zoom,
      maxZoom: MAX_ZOOM,
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      fadeDuration: prefersStillness() ? 0 : 200,
      validateStyle: false, // the style is ours, and the browser tests validate it
      locale: { 'Map.Title': translate('map.label') },
    });
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    provideImages(this.map);
    this.map.on('moveend', () => this.drawLines());
    this.map.on('error', (/** @type {{error?: {status?: number}, sourceId: string}} */ event) => {
      const status = event.error?.status;
      if (OWN.test(event.sourceId) && (!status || status >= 502)) connection.reportOutage();
    });
    connection.onRecovery(() => this.reload());
  }

  /** The complete style for the current theme and filters. */
  style() {
    const { settings, theme, language } = this.options;
    const palette = PALETTES[theme];
    /** @type {Record<string, object>} */
    const sources = { ...baseSources(settings), ...contextSources(this.shown) };
    if (this.filters !== null) {
      sources.devices = { type: 'vector', tiles: [this.tiles()], maxzoom: this.options.lastZoom };
    }
    if (this.heat) sources[HEAT] = { type: 'geojson', data: this.heat };
    sources[CHOSEN] = { type: 'geojson', data: chosenFeatures(this.chosen) };
    sources.graticule = { type: 'geojson', data: this.lines() };
    sources[DRAFT] = { type: 'geojson', data: this.draft };
    sources.here = { type: 'geojson', data: this.hereFeature() };
    return {
      version: 8,
      sources,
      layers: [
        ...baseLayers(settings, palette, language),
        ...graticuleLayers(palette),
        ...contextLayers((settings.collections ?? []).map(({ id }) => id), this.shown, palette),
        ...(this.heat ? heatLayers(palette) : []),
        ...(this.filters === null ? [] : deviceLayers(palette, theme, !this.heat)),
        ...chosenLayers(palette, theme),
        ...draftLayers(palette, theme),
      ],
    };
  }

  /** Lines at round coordinates if the map shows only coast and names here; otherwise none. */
  lines() {
    const view = this.map ? this.view : this.options.view;
    const isPlain = !hasStreets(this.options.settings, [view.longitude, view.latitude]);
    return isPlain ? graticule(view) : { type: 'FeatureCollection', features: [] };
  }

  drawLines() {
    this.whenReady(() => this.map.getSource('graticule')?.setData(this.lines()));
  }

  tiles() {
    return `${location.origin}${TILES}${this.filters ? `?${this.filters}` : ''}`;
  }

  hereFeature() {
    const features = this.here
      ? [{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: this.here } }] : [];
    return { type: 'FeatureCollection', features };
  }

  /** @param {() => void} act called as soon as the style can be changed */
  whenReady(act) {
    if (this.map.style?._loaded) act();
    else this.map.once('style.load', act);
  }

  /** @param {'light' | 'dark'} theme */
  setTheme(theme) {
    this.options.theme = theme;
    this.whenReady(() => this.map.setStyle(this.style()));
  }

  /** @param {string} filters query of the tiles */
  setFilters(filters) {
    if (filters === this.filters) return;
    this.filters = filters;
    // A new source instead of setTiles: MapLibre keeps a tile if its ETag did not change. The server’s ETag is the
    // version of the data and does not depend on the filters.
    this.whenReady(() => this.map.setStyle(this.style()));
  }

  /**
   * Shows these further collections below the devices, and hides all others.
   * @param {string[]} ids
   */
  showCollections(ids) {
    this.shown = ids;
    this.whenReady(() => this.map.setStyle(this.style()));
  }

  /**
   * Shows the cells of the heat map instead of clusters, or hides them.
   * @param {FeatureCollection | null} features for the layers of heat-layers.js; null: off
   */
  showHeat(features) {
    const isNew = Boolean(this.heat) !== Boolean(features);
    this.heat = features;
    this.whenReady(() => (isNew ? this.map.setStyle(this.style()) : this.map.getSource(HEAT)?.setData(features)));
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
    this.whenReady(() => this.map.getSource(CHOSEN)?.setData(chosenFeatures(device)));
  }

  /**
   * Draws a device that the user is describing.
   * @param {FeatureCollection} features for the layers of draft-layers.js
   */
  describe(features) {
    this.draft = features;
    this.whenReady(() => this.map.getSource(DRAFT)?.setData(features));
  }

  /**
   * Marks the reader’s position.
   * @param {Position} position
   */
  markHere(position) {
    this.here = position;
    this.whenReady(() => this.map.getSource('here')?.setData(this.hereFeature()));
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
    const { _sw: { lng: west, lat: south }, _ne: { lng: east, lat: north } } = this.map.getBounds();
    return normalBox(west, south, east, north);
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

  /**
   * @param {Position} position @param {number} zoom @param {number} [lift] pixels covered by buttons at the lower edge
   */
  fly(position, zoom, lift = 0) {
    this.map.flyTo({
      center: position, zoom, offset: [0, -lift / 2], maxDuration: 1_800, speed: 1.8, essential: false,
    });
  }

  /** @param {Box} box @param {number} [maxZoom] */
  fit(box, maxZoom = 15) {
    const [west, south, , north] = box;
    const east = box[2] < west ? box[2] + 360 : box[2];
    this.map.fitBounds([[west, south], [east, north]], { padding: 32, maxZoom, maxDuration: 1_800, speed: 1.8 });
  }

  /**
   * Moves the map if a point is not visible.
   * @param {Position} position @param {number} [covered] pixels covered by a card at the left
   * @param {number} [lift] pixels covered by buttons at the lower edge
   */
  reveal(position, covered = 0, lift = 0) {
    const { clientWidth, clientHeight } = this.options.container;
    const { top, right, bottom, left } = this.map.getPadding();
    const point = this.map.project(position);
    const seen = point.x > left + covered + 40 && point.x < clientWidth - right - 40
      && point.y > top + 40 && point.y < clientHeight - bottom - lift - 40;
    if (seen) return;
    this.map.easeTo({ center: position, offset: [covered / 2, -lift / 2], duration: prefersStillness() ? 0 : 450 });
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
   * @returns {string | null}
   */
  placeAround(position) {
    if (!this.map.getSource('base')) return null;
    let best = null;
    let least = AROUND;
    const isCity = ['==', ['get', 'kind'], 'city'];
    for (const place of this.map.querySourceFeatures('base', { sourceLayer: 'place', filter: isCity })) {
      // A large town has a longer range than a hamlet.
      const far = distance(position, place.geometry.coordinates) * (1 + place.properties.rank / 4);
      if (far < least) {
        least = far;
        best = (this.options.language === 'pt' && place.properties.name_pt) || place.properties.name;
      }
    }
    return best;
  }

  /**
   * The place that describes the view best: important and near the centre.
   * @returns {string | null}
   */
  get nearestPlace() {
    if (!this.map.getSource('base')) return null;
    const middle = this.map.project(this.map.getCenter());
    const { clientWidth, clientHeight } = this.options.container;
    const filter = ['==', ['get', 'kind'], 'city'];
    let best = null;
    let least = Math.max(clientWidth, clientHeight);
    for (const place of this.map.querySourceFeatures('base', { sourceLayer: 'place', filter })) {
      const point = this.map.project(place.geometry.coordinates);
      const cost = Math.hypot(point.x - middle.x, point.y - middle.y) + place.properties.rank * 25;
      if (cost < least) {
        least = cost;
        best = (this.options.language === 'pt' && place.properties.name_pt) || place.properties.name;
      }
    }
    return best;
  }
}
