// @ts-check
// The map area of the page. If the browser cannot draw a map, it shows a replacement.

import { connection } from '../api.js';
import { h } from '../dom.js';
import {
  AROUND_PLACE, boxOfView, CLOSEST_TO_PLACE, sameBox, viewOfBox, viewOfPlace, wrapLongitude,
} from '../geography.js';
import { language } from '../i18n.js';
import { soon } from '../late.js';
import { theme } from '../page/theme.js';
import { isPhone } from '../panel.js';
import { filterParameters } from '../state.js';
import { fetchMaplibre } from '../vendor.js';
import { insetsOf, roomOf } from './covered.js';
import { paddingAt } from './room.js';
import { SATELLITE } from './satellite.js';
import { showStandIn } from './stand-in.js';

/** @typedef {import('../geography.js').Box} Box */
/** @typedef {import('../geography.js').Position} Position */
/** @typedef {import('../geography.js').View} View */
/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('./map-view.js').MapView} MapView */
/**
 * @typedef {object} PaneActs
 * @property {() => void} locate
 * @property {() => void} moved
 * @property {(id: string, position: Position) => void} device
 * @property {(box: Box) => void} spot
 * @property {() => void} nothing
 */
/**
 * @typedef {object} PaneContext
 * @property {import('../state.js').Store} store
 * @property {import('../types').Settings} settings
 * @property {string} attribution
 * @property {number} lastZoom
 */

const REST = 50; // milliseconds
const PAUSE = 220; // milliseconds without movement before the list updates

/** The module that draws the map, and the library that it needs. */
async function readyToDraw() {
  const [drawing] = await Promise.all([soon(import('./drawing.js')), fetchMaplibre()]);
  await drawing.prepareDrawing();
  return drawing;
}

/** Lets the browser work for a moment. */
function rest() {
  return new Promise((resolve) => { setTimeout(resolve, REST); });
}

export class MapPane {
  /**
   * @param {HTMLElement} element
   * @param {PaneContext} context
   */
  constructor(element, context) {
    this.element = element;
    this.context = context;
    /** @type {MapView | null} */
    this.view = null;
    this.covered = 0;
    /** Folds the credits. */
    this.fold = () => {};
    /** Height of the credits in pixels; on a phone of the whole lower edge. */
    this.foot = 0;
    /** @type {Box | null} the last box reported as visible */
    this.seen = null;
    // Measured while the page is nearly empty: later the measurement would force a layout of the whole page.
    this.room = roomOf(element);
    addEventListener('resize', () => { if (!document.body.classList.contains('no-map')) this.room = roomOf(element); });
    /** @type {Device | null} */
    this.chosen = null;
    /** @type {Box | import('../types').Feature | null} */
    this.outlined = null;
    /** @type {(value: void) => void} */
    this.decide = () => {};
    /**
     * Resolves once it is known whether there is a map.
     * @type {Promise<void>}
     */
    this.decided = new Promise((resolve) => { this.decide = resolve; });
    /** @type {(value: void) => void} */
    this.rest = () => {};
    /**
     * Resolves once the map is idle, or cannot be drawn.
     * @type {Promise<void>}
     */
    this.rested = new Promise((resolve) => { this.rest = resolve; });
    /** @type {(value: void) => void} */
    this.request = () => {};
    /**
     * Resolves once the map has requested its first tiles, or cannot be drawn.
     * @type {Promise<void>}
     */
    this.requested = new Promise((resolve) => { this.request = resolve; });
    /** @type {import('./drawing.js').Furniture | null} the controls of the map */
    this.furniture = null;
    /** @type {((position: Position) => void) | null} handles taps on the map while the user chooses a place */
    this.placing = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    // It arrives in parallel with the library. `start` reports a failure.
    soon(import('./drawing.js')).catch(() => undefined);
  }

  /**
   * Draws the map, or says why it cannot. Until then the page can do everything that needs no map.
   * @param {PaneActs} acts
   * @param {Promise<unknown>} calm resolves when the page is idle: the library occupies a slow processor for long
   */
  async start(acts, calm) {
    this.acts = acts;
    await calm;
    const canvas = h('div', { class: 'map-canvas', id: 'map-canvas' });
    let drawing;
    try {
      drawing = await readyToDraw().catch(async () => {
        // The files are part of this site: the reason why they did not load may be a short outage.
        connection.reportOutage();
        await connection.recovered();
        return readyToDraw();
      });
      this.element.append(canvas);
      this.view = drawing.drawMap(this.options(canvas));
    } catch {
      canvas.remove();
      showStandIn(this);
    }
    if (drawing && this.view) {
      this.begin(this.view);
      // The controls are created while the library's worker reads the first tiles. It gets messages from before
      // its start only once the page rests.
      await this.requested.then(rest);
      this.furniture = drawing.furnish(this, this.view, acts);
    } else {
      this.request();
      this.rest();
    }
    this.decide();
  }

  /** @param {HTMLElement} container */
  options(container) {
    const { store, settings, lastZoom } = this.context;
    return {
      container, settings, lastZoom, view: this.place, theme: theme(), language: language(),
      filters: filterParameters(store.current).toString(), shown: this.layers,
    };
  }

  /**
   * Shows what was chosen before there was a map.
   * @param {MapView} view
   */
  begin(view) {
    this.cover(this.covered);
    view.outline(this.outlined);
    if (this.chosen) {
      view.choose(this.chosen);
      this.reveal(this.chosen.position);
    }
    view.map.once('render', () => this.request());
    view.map.once('idle', () => {
      this.element.classList.add('is-drawn');
      this.acts?.moved();
      this.rest();
    });
  }

  /**
   * Whether the tap was used to choose a place.
   * @param {Position} position
   */
  tapped([longitude, latitude]) {
    this.placing?.([wrapLongitude(longitude), latitude]);
    return this.placing !== null;
  }

  settled() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.view) this.context.store.update({ view: this.view.view }, 'replace');
      this.acts?.moved();
    }, PAUSE);
  }

  /**
   * The current or last known view of the page.
   * @returns {View}
   */
  get place() {
    return this.context.store.current.view ?? this.context.settings.view;
  }

  /**
   * The visible bounding box.
   * @returns {Box}
   */
  get box() {
    const box = this.view ? this.view.box : this.boxBefore;
    // The map computes the same box slightly differently, which is no reason for another request.
    this.seen = this.seen && sameBox(this.seen, box) ? this.seen : box;
    return this.seen;
  }

  /** The visible box before the map is drawn, or without one. */
  get boxBefore() {
    const { top, bottom } = this.padding;
    return boxOfView(this.place, this.room.width, Math.max(1, this.room.height - top - bottom));
  }

  /** Pixels of the map covered by other elements. */
  get padding() {
    return paddingAt(this.covered);
  }

  /** @returns {Position} */
  get middle() {
    const { longitude, latitude } = this.view?.view ?? this.place;
    return [longitude, latitude];
  }

  /** The outlined border of a place. */
  get border() {
    return this.outlined && 'geometry' in this.outlined ? this.outlined : null;
  }

  /** @returns {string | null} */
  get nearestPlace() {
    return this.view?.nearestPlace ?? null;
  }

  /**
   * Sets the height of the map that the sheet covers.
   * @param {number} covered pixels
   */
  cover(covered) {
    if (isPhone() && covered > this.covered) this.fold(); // A raised sheet leaves no room for credits.
    this.covered = covered;
    this.view?.setPadding(this.padding);
  }

  /** @param {View} view */
  jump(view) {
    if (this.view) this.view.jump(view);
    else {
      this.context.store.update({ view }, 'replace');
      this.acts?.moved();
    }
  }

  /** @param {Position} position @param {number} zoom minimum */
  fly(position, zoom) {
    const nearer = Math.max(zoom, this.view?.view.zoom ?? this.place.zoom);
    // On wide screens no card or button reaches the middle of the map.
    if (this.view) this.view.fly(position, nearer, isPhone() ? { ...this.insets, right: 0 } : undefined);
    else this.jump({ longitude: position[0], latitude: position[1], zoom: nearer });
  }

  /**
   * The box that `fly` shows around a position.
   * @param {Position} position @param {number} zoom
   * @returns {Box}
   */
  boxAround([longitude, latitude], zoom) {
    const { top, bottom } = this.padding;
    return boxOfView({ longitude, latitude, zoom }, this.room.width, Math.max(1, this.room.height - top - bottom));
  }

  /**
   * Shows two positions at once.
   * @param {[Position, Position]} positions @param {number} maxZoom
   */
  frame([[x, y], [otherX, otherY]], maxZoom) {
    const [west, east] = Math.abs(x - otherX) > 180 ? [Math.max(x, otherX), Math.min(x, otherX)]
      : [Math.min(x, otherX), Math.max(x, otherX)];
    /** @type {Box} */
    const box = [west, Math.min(y, otherY), east, Math.max(y, otherY)];
    if (this.view) this.view.fit(box, maxZoom);
    else this.jump(viewOfBox(box, 400, 400, maxZoom));
  }

  /** @param {import('../search/suggestions.js').Place} place */
  goToPlace(place) {
    const { bbox, longitude, latitude } = place;
    if (bbox?.length !== 4) this.fly([longitude, latitude], AROUND_PLACE);
    else if (this.view) this.view.fit(/** @type {Box} */ (bbox), CLOSEST_TO_PLACE);
    else this.jump(viewOfPlace(place, 400, 400));
  }

  /**
   * Shows a house in the middle, and all of a street or a postcode.
   * @param {import('../search/suggestions.js').Place} place @param {number} zoom for a house, and at most for a street
   */
  goToAddress(place, zoom) {
    const { kind, bbox, longitude, latitude } = place;
    if (kind === 'address' || !bbox || bbox.length !== 4) this.fly([longitude, latitude], zoom);
    else if (this.view) this.view.fit(/** @type {Box} */ (bbox), zoom);
    else this.jump(viewOfBox(/** @type {Box} */ (bbox), 400, 400, zoom));
  }

  /** @param {string} filters */
  setFilters(filters) {
    this.view?.setFilters(filters);
    this.furniture?.heat.refresh();
  }

  /** The visible further collections and the aerial images: those in the address that exist. */
  get layers() {
    const { collections, satellite } = this.context.settings;
    const known = (collections ?? []).map(({ id }) => id);
    if (satellite) known.push(SATELLITE);
    return this.context.store.current.layers.filter((id) => known.includes(id));
  }

  /** Shows the layers of the state, which may come from the address. */
  showLayers() {
    const { heat } = this.context.store.current;
    this.furniture?.tick({ heat, layers: this.layers });
    this.furniture?.card.close(); // it may describe a layer that is no longer visible
    this.furniture?.heat.turn(heat);
    if (this.view && this.view.shown.join() !== this.layers.join()) this.view.showCollections(this.layers);
  }

  /** @param {Device | null} device */
  choose(device) {
    this.chosen = device;
    if (device) this.furniture?.card.close();
    this.view?.choose(device);
  }

  /**
   * Outlines the place that the user searched for.
   * @param {Box | import('../types').Feature | null} box its border, or the box around it
   */
  outline(box) {
    this.outlined = box;
    this.view?.outline(box);
  }

  /** @param {Position} position */
  reveal(position) {
    this.view?.reveal(position, this.insets);
  }

  /**
   * Pixels of the visible map that buttons and the card cover. None while the user chooses a place: the crosshair is in
   * the middle of the whole visible map.
   * @returns {import('./map-view.js').Insets}
   */
  get insets() {
    if (this.placing) return { top: 0, right: 0, bottom: 0, left: 0 };
    return insetsOf(this.element, this.foot, this.chosen !== null);
  }

  /** @param {Position | null} position */
  markHere(position) { this.view?.markHere(position); }
}
