// @ts-check
// The map area of the page. If the browser cannot draw a map, it shows a replacement.

import { connection, requestToStore } from '../api.js';
import { fill, h, icon, iconButton } from '../dom.js';
import {
  AROUND_PLACE, boxOfView, CLOSEST_TO_PLACE, MAX_ZOOM, sameBox, viewOfBox, viewOfPlace, wrapLongitude,
} from '../geography.js';
import { language, translate } from '../i18n.js';
import { soon } from '../late.js';
import { theme } from '../page/theme.js';
import { coveredAt, isPhone } from '../panel.js';
import { filterParameters } from '../state.js';
import { fetchMaplibre } from '../vendor.js';
import { paddingAt, TOP } from './room.js';
import { SATELLITE } from './satellite.js';
import { streetsInView } from './street-maps.js';
import { visibleTiles } from './visible-tiles.js';

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
const MOST_TILES = 24; // of each source, stored for offline use at the first visit
const CARD = 392; // pixels of the map covered by the card next to the panel
const PAUSE = 220; // milliseconds without movement before the list updates
const INTRODUCTION = 220; // pixels of the map covered by the introduction on a phone
const COLUMN = 64; // pixels of the map covered by the column of buttons

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

/** @param {HTMLElement} element */
function roomOf({ clientWidth, clientHeight }) {
  return { width: clientWidth, height: clientHeight };
}

/**
 * The size of the map that nothing covers when the page opens, and what the introduction covers of it.
 * @param {HTMLElement} element @param {boolean} isWelcoming whether the introduction will be shown
 */
export function clearRoom(element, isWelcoming) {
  const { width, height } = roomOf(element);
  return isPhone() ? { width, height: height - TOP - coveredAt('peek'), cover: isWelcoming ? INTRODUCTION : 0 }
    : { width, height, cover: 0 };
}

/**
 * Pixels between the sheet and the top of the button to add a device: `--add-above` and the button (map-page.css). The
 * rule is repeated here because the button is still moving when the map starts to move.
 * @param {number} foot height of the credits in pixels
 */
function aboveSheet(foot) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.max(2 * rem, foot + 0.75 * rem) + 3.5 * rem;
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
      this.standIn();
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

  /** Shows the list first, with buttons for other areas. */
  standIn() {
    document.body.classList.add('no-map');
    const move = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ zoom) => () => {
      const { longitude, latitude, zoom: now } = this.place;
      const degrees = 180 / 2 ** now;
      this.jump({
        longitude: longitude + x * degrees, latitude: Math.max(-80, Math.min(80, latitude + y * degrees * 0.6)),
        zoom: Math.max(0, Math.min(MAX_ZOOM, now + zoom)),
      });
    };
    fill(this.element, h('div', { class: 'no-map-notice', role: 'note' },
      icon('map'),
      h('div', {}, h('p', { class: 'no-map-title' }, translate('map.none')), h('p', {}, translate('map.none.why')),
        h('div', { class: 'no-map-buttons', role: 'group', 'aria-label': translate('map.area') },
          iconButton('plus', translate('map.closer'), { class: 'framed', onclick: move(0, 0, 1) }),
          iconButton('minus', translate('map.wider'), { class: 'framed', onclick: move(0, 0, -1) }),
          iconButton('up', translate('map.move.north'), { class: 'framed', onclick: move(0, 1, 0) }),
          iconButton('down', translate('map.move.south'), { class: 'framed', onclick: move(0, -1, 0) }),
          iconButton('left', translate('map.move.west'), { class: 'framed', onclick: move(-1, 0, 0) }),
          iconButton('right', translate('map.move.east'), { class: 'framed', onclick: move(1, 0, 0) }),
          iconButton('locate', translate('map.locate'),
            { class: 'framed', id: 'locate', onclick: this.acts?.locate })))));
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

  /**
   * Requests the tiles of the first map that browsers may keep. They arrive while the library is being read, and its
   * worker finds them in the cache of the browser.
   */
  expectTiles() {
    const { settings, settings: { base_map: base } } = this.context;
    const { width, height } = this.room;
    const { top, bottom } = this.padding;
    const { zoom } = this.place;
    const clear = Math.max(1, height - top - bottom);
    const [west, , east, north] = boxOfView(this.place, width, clear + 2 * top);
    const [, south] = boxOfView(this.place, width, clear + 2 * bottom);
    /** @type {Box} */
    const box = [west, south, east, north];
    const streets = streetsInView(settings, zoom, box).map((index) => settings.streets[index])
      .filter(({ format, min_zoom: first }) => format === 'vector' && zoom >= first);
    for (const { tiles, max_zoom: last } of [base, ...streets]) {
      for (const path of visibleTiles(tiles, box, zoom, last, MOST_TILES)) requestToStore(path, true);
    }
  }

  /** Addresses of the tiles in view, to store them for offline use. */
  tilesInView() {
    if (!this.view) return [];
    const { view: { zoom }, box } = this.view;
    const { settings: { base_map: base }, lastZoom } = this.context;
    return [
      ...visibleTiles(this.view.tiles(), box, zoom, lastZoom, MOST_TILES),
      ...visibleTiles(base.tiles, box, zoom, base.max_zoom, MOST_TILES),
    ];
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
    const hasRoom = !isPhone() && this.element.clientWidth > 2 * CARD;
    return { top: 0, right: COLUMN, bottom: aboveSheet(this.foot), left: hasRoom && this.chosen ? CARD : 0 };
  }

  /** @param {Position | null} position */
  markHere(position) { this.view?.markHere(position); }
}
