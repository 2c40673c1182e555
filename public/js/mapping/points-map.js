// @ts-check
// A small map with the positions of a list.

import { fill, h, iconButton } from '../dom.js';
import { language, translate } from '../i18n.js';
import { foldedCredits } from '../map/controls.js';
import { FONT } from '../map/expressions.js';
import { createMap } from '../map/small-map.js';
import { PALETTES } from '../map/palette.js';
import { settings as askSettings } from '../page/start.js';
import { onTheme, theme } from '../page/theme.js';
import { boxOf } from './positions.js';

/** @typedef {import('../types').Box} Box */
/** @typedef {import('../geography.js').Position} Position */
/** @typedef {import('../types').View} View */

const CLOSE = 18.5; // zoom: devices twenty metres apart are beside each other
const POINTS = 'mapping-points';
const NUMBERS = 'mapping-numbers';
const SIGHTS = 'mapping-sights';

export class PointsMap {
  /**
   * @param {object} given
   * @param {string} [given.label] name of the map for screen readers
   * @param {(index: number) => void} [given.choose] called for a position that the user points at
   * @param {(box: Box) => void} [given.moved] called after the user moved the map, which then stays there instead of
   *   showing all positions
   * @param {boolean} [given.isNumbered] whether the positions have their numbers in the list, and the map may be close
   */
  constructor({ label = translate('wizard.map'), choose, moved, isNumbered = false } = {}) {
    this.element = h('div', { class: 'wizard-map map', role: 'group', 'aria-label': label });
    this.given = { choose, moved, isNumbered };
    /** @type {import('../types').Feature[]} */
    this.sights = [];
    /** @type {Position[]} */
    this.points = [];
    /** @type {ReadonlySet<number>} */
    this.marked = new Set();
    /** @type {import('../map/map-view.js').MapView | null} */
    this.view = null;
    this.isStarted = false;
  }

  /**
   * Draws positions and shows all of them.
   * @param {Position[]} points @param {ReadonlySet<number>} [marked] numbers of the positions to stand out
   * @param {import('../types').Feature[]} [sights] the fields of view of the devices
   */
  async show(points, marked = new Set(), sights = []) {
    this.points = points;
    this.marked = marked;
    this.sights = sights;
    const isHidden = points.length === 0 && !this.given.moved;
    this.element.hidden = isHidden;
    if (isHidden) return;
    const [longitude, latitude] = points[0] ?? [0, 0];
    if (!this.isStarted && points.length) await this.begin({ longitude, latitude, zoom: 3 });
    else this.draw();
  }

  /**
   * Shows a part of the world.
   * @param {View} view
   */
  async look(view) {
    if (!this.isStarted) await this.begin(view);
    else this.view?.jump(view);
  }

  /** @param {View} view */
  async begin(view) {
    this.isStarted = true;
    // The text next to the map says the same.
    await this.start(view).catch(() => this.element.remove());
    this.draw(); // the points that came meanwhile
  }

  /** @param {View} first */
  async start(first) {
    const settings = await askSettings();
    const canvas = h('div', { class: 'map-canvas' });
    fill(this.element, canvas);
    const view = await createMap({
      container: canvas, settings, theme: theme(), language: language(), filters: null, lastZoom: 16, categories: [],
      view: first,
    });
    view.map.scrollZoom.disable();
    this.element.append(h('div', { class: 'map-foot' }, foldedCredits(settings)));
    this.view = view;
    this.listen(view.map);
    onTheme((chosen) => { if (this.view === view) view.setTheme(chosen); });
    // A new style, for another theme or with lines for want of detail, does not have these points.
    for (const event of ['styledata', 'style.load']) {
      view.map.on(event, () => { if (this.view === view && view.isStyled) this.addLayer(); });
    }
  }

  /** @param {any} map the MapLibre map */
  listen(map) {
    const { choose, moved } = this.given;
    if (moved) this.follow(map, moved);
    if (!choose) return;
    const [enter, leave] = ['pointer', ''].map((cursor) => () => { map.getCanvas().style.cursor = cursor; });
    map.on('mouseenter', POINTS, enter);
    map.on('mouseleave', POINTS, leave);
    map.on('click', POINTS, (/** @type {any} */ event) => choose(event.features[0].properties.index));
  }

  /** @param {any} map the MapLibre map @param {(box: Box) => void} moved */
  follow(map, moved) {
    const { view } = this;
    if (!view) return;
    map.on('moveend', (/** @type {{originalEvent?: Event}} */ { originalEvent }) => {
      if (originalEvent) moved(view.outerBox);
    });
    const zoom = (/** @type {1 | -1} */ steps) => {
      map.once('moveend', () => moved(view.outerBox));
      view.zoomBy(steps);
    };
    this.element.append(h('div', { class: 'small-map-zoom' },
      iconButton('plus', translate('map.closer'), { class: 'framed', onclick: () => zoom(1) }),
      iconButton('minus', translate('map.wider'), { class: 'framed', onclick: () => zoom(-1) })));
  }

  /**
   * Shows one position from close by.
   * @param {number} index
   */
  approach(index) {
    const position = this.points[index];
    if (position) this.view?.fly(position, CLOSE);
  }

  /** Frees the memory of the map. */
  end() {
    this.view?.map.remove();
    this.view = null;
  }

  draw() {
    const { view } = this;
    const box = boxOf(this.points);
    if (!view) return;
    view.whenReady(() => {
      this.addLayer();
      view.map.getSource(SIGHTS)?.setData({ type: 'FeatureCollection', features: this.sights });
      view.map.getSource(POINTS)?.setData(featuresOf(this.points, this.marked));
      if (this.given.moved || !box) return;
      view.map.resize();
      view.fit(box, this.given.isNumbered ? CLOSE : 13);
    });
  }

  addLayer() {
    const { map } = /** @type {import('../map/map-view.js').MapView} */ (this.view);
    if (map.getSource(POINTS)) return;
    const palette = PALETTES[theme()];
    const { isNumbered } = this.given;
    map.addSource(SIGHTS, { type: 'geojson', data: { type: 'FeatureCollection', features: this.sights } });
    map.addLayer({
      id: SIGHTS, type: 'fill', source: SIGHTS, paint: { 'fill-color': palette.beam, 'fill-opacity': 0.55 },
    });
    map.addSource(POINTS, { type: 'geojson', data: featuresOf(this.points, this.marked) });
    map.addLayer({
      id: POINTS, type: 'circle', source: POINTS,
      layout: { 'circle-sort-key': ['case', ['get', 'marked'], 1, ['-', 0, ['get', 'index']]] },
      paint: {
        'circle-radius': ['case', ['get', 'marked'], 8, isNumbered ? 10 : 5], 'circle-stroke-width': 1.5,
        'circle-color': ['case', ['get', 'marked'], palette.disputed, palette.beam],
        'circle-stroke-color': ['case', ['get', 'marked'], palette.paper, palette.ink],
      },
    });
    if (!isNumbered) return;
    map.addLayer({
      id: NUMBERS, type: 'symbol', source: POINTS,
      layout: {
        'text-field': ['to-string', ['+', ['get', 'index'], 1]], 'text-font': [FONT], 'text-size': 14,
        'symbol-sort-key': ['get', 'index'],
      },
      paint: { 'text-color': '#0b2545' },
    });
  }
}

/** @param {Position[]} points @param {ReadonlySet<number>} marked */
function featuresOf(points, marked) {
  return {
    type: 'FeatureCollection',
    features: points.map((coordinates, index) => ({
      type: 'Feature', properties: { index, marked: marked.has(index) }, geometry: { type: 'Point', coordinates },
    })),
  };
}
