// @ts-check
// The map of the routes page: the devices, the ways and their ends.

import { Refusal } from '../api.js';
import { h } from '../dom.js';
import { GrowingBox } from '../exposure/regions.js';
import { language, translate } from '../i18n.js';
import { mapButtons, foldedCredits } from '../map/controls.js';
import { lastView } from '../map/last-view.js';
import { createMap } from '../map/map-view.js';
import { deviceTiles, settings as askSettings } from '../page/start.js';
import { onTheme, theme } from '../page/theme.js';
import { toast } from '../page/notices.js';
import { locate, locateTrouble } from '../places/locate.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {import('../types').Feature} Feature */
/** @typedef {import('../map/map-view.js').MapView} MapView */
/** @typedef {import('./engine.js').Answer} Answer */

const CLOSE = 14; // zoom at a place

export class RouteMap {
  constructor() {
    this.place = h('div', { class: 'map route-map' });
    this.element = h('aside', { class: 'routes-map', 'aria-label': translate('map.label') }, this.place);
    /** @type {MapView | null} */
    this.view = null;
    /** @type {Answer | null} */
    this.answer = null;
    /** @type {Position[]} */
    this.drawn = [];
    /** @type {Position[]} */
    this.stops = [];
  }

  /** @param {Position | null} middle where the map opens */
  async draw(middle) {
    const [settings, tiles] = await Promise.all([askSettings(), deviceTiles()]);
    const canvas = h('div', { class: 'map-canvas' });
    this.place.replaceChildren(canvas);
    const view = middle ? { longitude: middle[0], latitude: middle[1], zoom: CLOSE } : lastView() ?? settings.view;
    try {
      this.view = await createMap({
        container: canvas, settings, theme: theme(), language: language(), filters: '', view, categories: [],
        lastZoom: Number.isInteger(tiles.maxzoom) ? Number(tiles.maxzoom) : 16,
      });
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.place.replaceChildren(h('p', { class: 'section-note' }, translate('routes.no_map')));
      return;
    }
    const shown = this.view;
    onTheme((now) => shown.setTheme(now));
    this.place.append(mapButtons(shown, () => this.locate()),
      h('div', { class: 'map-foot' }, foldedCredits(settings, tiles.attribution)));
    this.update();
  }

  async locate() {
    try {
      const { position } = await locate();
      this.view?.markHere(position);
      this.view?.fly(position, CLOSE);
    } catch (error) {
      toast(translate(locateTrouble(error)));
    }
  }

  /** @param {Answer | null} answer @param {boolean} isNew whether to show the whole way */
  showRoutes(answer, isNew) {
    this.answer = answer;
    this.drawn = [];
    this.update();
    if (!answer || !isNew) return;
    const box = new GrowingBox();
    for (const position of [...answer.shortest.line, ...answer.quiet.line]) box.add(position);
    this.view?.fit(box.box, 17);
  }

  /** @param {Position[]} line */
  showDrawn(line) {
    this.drawn = line;
    if (line.length) this.answer = null;
    this.update();
  }

  /** @param {Position[]} stops */
  showStops(stops) {
    this.stops = stops;
    this.update();
  }

  update() {
    /** @type {(part: string, coordinates: Position[]) => Feature[]} */
    const line = (part, coordinates) => (coordinates.length > 1
      ? [{ type: 'Feature', properties: { part }, geometry: { type: 'LineString', coordinates } }] : []);
    const ends = this.stops.map((coordinates, place) => /** @type {Feature} */ ({
      type: 'Feature', geometry: { type: 'Point', coordinates },
      properties: { part: place === 0 ? 'start' : 'end' },
    }));
    this.view?.showWays({
      type: 'FeatureCollection', features: [
        ...line('shortest', this.answer?.shortest.line ?? []), ...line('quiet', this.answer?.quiet.line ?? []),
        ...line('quiet', this.drawn), ...ends,
      ],
    });
  }
}
