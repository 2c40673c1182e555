// @ts-check
// The map: base, devices, the chosen one, and where it looks. Knows nothing of the list beside it.

import { connection } from '../api.js';
import { distance, normalBox, wrapLongitude } from '../geography.js';
import { prefersStillness } from '../dom.js';
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
/** @typedef {{top: number, right: number, bottom: number, left: number}} Padding pixels of the map that something covers */

const AROUND = 30_000; // metres, of a hamlet less
const TILES = '/api/tiles/devices/{z}/{x}/{y}.mvt';
export const MAX_ZOOM = 19;
/** Sources that this server answers for. */
const OWN = /^(base|devices|streets-\d+)$/;

/**
 * @typedef {object} MapOptions
 * @property {HTMLElement} container
 * @property {Settings} settings
 * @property {View} view
 * @property {'light' | 'dark'} theme
 * @property {string} language
 * @property {string | null} filters query of the tiles; null: no devices but the chosen one
 * @property {string[]} [shown] ids of further collections that are shown from the start
 * @property {number} lastZoom the deepest zoom with tiles of devices
 */

/**
 * Brings what a map is drawn with. Throws where the library cannot be had.
 * @param {string[]} [categories] whose symbols it needs from the first
 */
export async function prepareMap(categories = []) {
  await Promise.all([fetchMaplibre(), loadSymbols(categories), ...[FONT, BOLD].map((font) => document.fonts.load(`16px "${font}"`))]);
}

/**
 * Draws a map. Throws where the browser has no WebGL.
 * @param {MapOptions & {categories: string[]}} options `categories` are those whose symbols it needs from the first
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
    /** @type {string[]} ids of further collections that are shown */
    this.shown = options.shown ?? [];
    /** @type {any} shapes of the heat map's cells; null while it is off */
    this.heat = null;
    /** @type {Device | null} */
    this.chosen = null;
    /** @type {Position | null} */
    this.here = null;
    /** @type {any} */
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
      validateStyle: false, // it is ours, and the tests in browsers have it checked
      locale: { 'Map.Title': translate('map.label') },
    });
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    provideImages(this.map);
    this.map.on('moveend', () => this.drawLines());
    this.map.on('error', (/** @type {any} */ event) => {
      const status = event.error?.status;
      if (OWN.test(event.sourceId) && (!status || status >= 502)) connection.reportOutage();
    });
    connection.onRecovery(() => this.reload());
  }

  /** The whole style for the theme and the filters of now. */
  style() {
    const { settings, theme, language } = this.options;
    const palette = PALETTES[theme];
    /** @type {Record<string, any>} */
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

  /** Lines of round positions where the map shows nothing but coast and names; else none. */
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

  /** @param {() => void} act when the style can be changed */
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
    // A new source, not setTiles: MapLibre keeps a tile whose ETag did not change, and the server's
    // is the version of the data, whatever the filters.
    this.whenReady(() => this.map.setStyle(this.style()));
  }

  /**
   * Shows further collections under the devices, and no others.
   * @param {string[]} ids
   */
  showCollections(ids) {
    this.shown = ids;
    this.whenReady(() => this.map.setStyle(this.style()));
  }

  /**
   * Shows the heat map's cells in place of clusters, or takes them away.
   * @param {any} features as heat-layers.js draws them; null: off
   */
  showHeat(features) {
    const isNew = Boolean(this.heat) !== Boolean(features);
    this.heat = features;
    this.whenReady(() => (isNew ? this.map.setStyle(this.style()) : this.map.getSource(HEAT)?.setData(features)));
  }

  /** Asks again for every tile, after the server was out of reach. */
  reload() {
    this.whenReady(() => {
      for (const name of Object.keys(this.map.getStyle().sources)) {
        if (OWN.test(name)) this.map.refreshTiles(name);
      }
    });
  }

  /**
   * Draws one device apart from the rest.
   * @param {Device | null} device
   */
  choose(device) {
    this.chosen = device;
    this.whenReady(() => this.map.getSource(CHOSEN)?.setData(chosenFeatures(device)));
  }

  /**
   * Draws a device that is being described.
   * @param {any} features as draft-layers.js draws them
   */
  describe(features) {
    this.draft = features;
    this.whenReady(() => this.map.getSource(DRAFT)?.setData(features));
  }

  /**
   * Marks where the reader is.
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
   * What can be seen of the map past what covers it.
   * @returns {Box}
   */
  get box() {
    const { clientWidth, clientHeight } = this.options.container;
    const { top, right, bottom, left } = this.map.getPadding();
    const upper = this.map.unproject([left, top]);
    const lower = this.map.unproject([Math.max(left + 1, clientWidth - right), Math.max(top + 1, clientHeight - bottom)]);
    return normalBox(upper.lng, lower.lat, lower.lng, upper.lat);
  }

  /**
   * All of the map, what is covered included.
   * @returns {Box}
   */
  get outerBox() {
    const { _sw: { lng: west, lat: south }, _ne: { lng: east, lat: north } } = this.map.getBounds();
    return normalBox(west, south, east, north);
  }

  /** @param {Padding} padding @param {boolean} [keep] keeps what is in the middle there */
  setPadding(padding, keep = false) {
    if (keep) this.map.easeTo({ padding, duration: prefersStillness() ? 0 : 250 });
    else this.map.setPadding(padding);
  }

  /**
   * Goes there without a flight.
   * @param {View} view
   */
  jump({ longitude, latitude, zoom }) {
    this.map.jumpTo({ center: [longitude, latitude], zoom });
  }

  /** @param {Position} position @param {number} zoom @param {number} [lift] pixels at the lower edge that buttons hide */
  fly(position, zoom, lift = 0) {
    this.map.flyTo({ center: position, zoom, offset: [0, -lift / 2], maxDuration: 1_800, speed: 1.8, essential: false });
  }

  /** @param {Box} box @param {number} [maxZoom] */
  fit(box, maxZoom = 15) {
    const [west, south, , north] = box;
    const east = box[2] < west ? box[2] + 360 : box[2];
    this.map.fitBounds([[west, south], [east, north]], { padding: 32, maxZoom, maxDuration: 1_800, speed: 1.8 });
  }

  /**
   * Brings a point into sight if it is out of it.
   * @param {Position} position @param {number} [covered] pixels at the left that a card hides
   * @param {number} [lift] pixels at the lower edge that buttons hide
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

  /** @param {number} x share of the window to the east @param {number} y to the south */
  pan(x, y) {
    const { clientWidth, clientHeight } = this.options.container;
    this.map.panBy([x * clientWidth, y * clientHeight], { duration: prefersStillness() ? 0 : 250 });
  }

  /**
   * The town or village that a point belongs to, as far as the map has drawn its surroundings.
   * @param {Position} position
   * @returns {string | null}
   */
  placeAround(position) {
    if (!this.map.getSource('base')) return null;
    let best = null;
    let least = AROUND;
    for (const place of this.map.querySourceFeatures('base', { sourceLayer: 'place', filter: ['==', ['get', 'kind'], 'city'] })) {
      // A large town reaches further than a hamlet beside it.
      const far = distance(position, place.geometry.coordinates) * (1 + place.properties.rank / 4);
      if (far < least) {
        least = far;
        best = (this.options.language === 'pt' && place.properties.name_pt) || place.properties.name;
      }
    }
    return best;
  }

  /**
   * The place that says best where the map is: near its middle and important.
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
