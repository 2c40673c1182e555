// @ts-check
// A map with the positions of a list, drawn before anything is stored.

import { fill, h } from '../dom.js';
import { language, translate } from '../i18n.js';
import { foldedCredits } from '../map/controls.js';
import { createMap } from '../map/map-view.js';
import { PALETTES } from '../map/palette.js';
import { settings as askSettings } from '../page/start.js';
import { onTheme, theme } from '../page/theme.js';
import { boxOf } from './positions.js';

/** @typedef {import('../geography.js').Position} Position */

const POINTS = 'mapping-points';

export class PointsMap {
  constructor() {
    this.element = h('div', { class: 'wizard-map map', role: 'group', 'aria-label': translate('wizard.map') });
    /** @type {Position[]} */
    this.points = [];
    /** @type {import('../map/map-view.js').MapView | null} */
    this.view = null;
    this.isStarted = false;
  }

  /**
   * Draws positions and shows all of them.
   * @param {Position[]} points
   */
  async show(points) {
    this.points = points;
    this.element.hidden = points.length === 0;
    if (!points.length) return;
    if (!this.isStarted) {
      this.isStarted = true;
      // The text next to the map says the same.
      await this.start().catch(() => this.element.remove());
    }
    this.draw();
  }

  async start() {
    const settings = await askSettings();
    const canvas = h('div', { class: 'map-canvas' });
    fill(this.element, canvas);
    const [longitude, latitude] = this.points[0];
    const view = await createMap({
      container: canvas, settings, theme: theme(), language: language(), filters: null, lastZoom: 16, categories: [],
      view: { longitude, latitude, zoom: 3 },
    });
    view.map.scrollZoom.disable();
    this.element.append(h('div', { class: 'map-foot' }, foldedCredits(settings)));
    this.view = view;
    onTheme((chosen) => {
      if (this.view !== view) return;
      view.setTheme(chosen);
      view.whenReady(() => this.addLayer());
    });
  }

  /** Frees the memory of the map. */
  end() {
    this.view?.map.remove();
    this.view = null;
  }

  draw() {
    const { view } = this;
    const box = boxOf(this.points);
    if (!view || !box) return;
    view.whenReady(() => {
      this.addLayer();
      view.map.getSource(POINTS)?.setData(featuresOf(this.points));
      view.map.resize();
      view.fit(box, 13);
    });
  }

  addLayer() {
    const { map } = /** @type {import('../map/map-view.js').MapView} */ (this.view);
    if (map.getSource(POINTS)) return;
    const palette = PALETTES[theme()];
    map.addSource(POINTS, { type: 'geojson', data: featuresOf(this.points) });
    map.addLayer({
      id: POINTS, type: 'circle', source: POINTS,
      paint: {
        'circle-radius': 5, 'circle-color': palette.beam, 'circle-stroke-color': palette.ink,
        'circle-stroke-width': 1.5,
      },
    });
  }
}

/** @param {Position[]} points */
function featuresOf(points) {
  return {
    type: 'FeatureCollection',
    features: points.map((coordinates) => ({
      type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates },
    })),
  };
}
