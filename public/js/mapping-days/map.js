// @ts-check
// The map of a mapping day: its area, and a ring around each contribution. It never shows people.

import { fill, h, iconButton } from '../dom.js';
import { viewOfBox } from '../geography.js';
import { language, translate } from '../i18n.js';
import { foldedCredits } from '../map/controls.js';
import { createMap } from '../map/small-map.js';
import { onTheme, theme } from '../page/theme.js';
import { boxOf, drawingOf } from './days.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {import('./days.js').DayArea} DayArea */

const ROOM = 32; // pixels around the area
const GATHER = 250; // milliseconds during which rings are drawn together

export class DayMap {
  /** @param {DayArea} area @param {string} title of the day */
  constructor(area, title) {
    this.area = area;
    this.canvas = h('div', { class: 'map-canvas' });
    this.element = h('div', {
      class: 'day-map map', role: 'group', 'aria-label': translate('mapping_day.map', { title }),
    }, this.canvas);
    /** @type {Map<string, Position>} by device */
    this.points = new Map();
    /** @type {import('../map/map-view.js').MapView | null} */
    this.view = null;
    this.isWaiting = false;
  }

  /**
   * Draws the map. Without WebGL it removes itself: the page has the figures in words.
   * @param {import('../page/start.js').Settings} settings
   */
  async start(settings) {
    try {
      const { clientWidth, clientHeight } = this.element;
      const view = await createMap({
        container: this.canvas, settings, theme: theme(), language: language(), filters: '', lastZoom: 16,
        categories: [],
        view: viewOfBox(
          boxOf(this.area), Math.max(1, clientWidth - 2 * ROOM), Math.max(1, clientHeight - 2 * ROOM), 17),
      });
      this.view = view;
      view.map.scrollZoom.disable();
      onTheme((now) => view.setTheme(now));
      this.element.append(zoomButtons(view), h('div', { class: 'map-foot' }, foldedCredits(settings)));
      this.draw();
    } catch {
      fill(this.element, h('p', { class: 'field-note' }, translate('map.none')));
      this.element.classList.add('is-empty');
    }
  }

  /** @param {string} device @param {Position} position */
  add(device, position) {
    this.points.set(device, position);
    if (this.isWaiting) return;
    this.isWaiting = true;
    setTimeout(() => {
      this.isWaiting = false;
      this.draw();
    }, GATHER);
  }

  draw() { this.view?.describe(drawingOf(this.area, this.points.values())); }
}

/** @param {import('../map/map-view.js').MapView} view */
function zoomButtons(view) {
  return h('div', { class: 'map-buttons' },
    h('div', { class: 'button-stack', role: 'group', 'aria-label': translate('map.controls') },
      iconButton('plus', translate('map.closer'), { class: 'map-button', onclick: () => view.zoomBy(1) }),
      iconButton('minus', translate('map.wider'), { class: 'map-button', onclick: () => view.zoomBy(-1) })));
}
