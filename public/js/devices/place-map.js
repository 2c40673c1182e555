// @ts-check
// Small map with the position of one device. Shows only the text where WebGL is unavailable.

import { Refusal } from '../api.js';
import { h } from '../dom.js';
import { uncertainty } from '../geography.js';
import { language, translate } from '../i18n.js';
import { foldedCredits } from '../map/controls.js';
import { createMap } from '../map/small-map.js';
import { printable } from '../map/print.js';
import { hasStreets } from '../map/street-maps.js';
import { settings as askSettings } from '../page/start.js';
import { onTheme, theme } from '../page/theme.js';

/** @typedef {import('./device.js').Device} Device */
/** @typedef {import('../map/map-view.js').MapView} MapView */

/**
 * Zoom level for a precision.
 * @param {string | null} precision
 */
export function zoomFor(precision) {
  return { '100m': 15, '1km': 12.5, area: 9.5 }[precision ?? ''] ?? 16;
}

export class PlaceMap {
  constructor() {
    this.place = h('div', { class: 'map', id: 'device-map' });
    this.note = h('p', { class: 'section-note' }, translate('precision.circle'));
    this.note.hidden = true;
    this.element = h('aside', { class: 'device-map', 'aria-label': translate('device.where') }, this.place, this.note);
    /** @type {MapView | null} */
    this.view = null;
    /** Whether a map can be drawn here, as far as known. */
    this.isPossible = true;
  }

  /** @param {Device} device @returns {Promise<boolean>} whether the map is shown */
  async draw(device) {
    const settings = await askSettings();
    const canvas = h('div', { class: 'map-canvas' });
    this.place.replaceChildren(canvas);
    const [longitude, latitude] = device.position;
    try {
      this.view = await createMap({
        container: canvas, settings, theme: theme(), language: language(), filters: null, lastZoom: 16,
        categories: [device.category],
        view: {
          longitude, latitude,
          zoom: Math.min(zoomFor(device.precision), hasStreets(settings, device.position) ? 16 : 10),
        },
      });
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.isPossible = false;
      this.element.remove();
      return false;
    }
    const { view } = this;
    view.map.scrollZoom.disable();
    view.map.cooperativeGestures?.enable?.();
    onTheme((now) => view.setTheme(now));
    printable(view, this.place);
    this.place.append(h('div', { class: 'map-foot' }, foldedCredits(settings)));
    this.show(device);
    return true;
  }

  /**
   * Updates the map after a change of the device.
   * @param {Device} device
   */
  show(device) {
    this.view?.choose(device);
    this.note.hidden = !uncertainty(device.precision);
  }
}
