// @ts-check
// The area of a mapping day: drawn on a map, or typed as corners.

import { drawArea } from '../area-drawing/draw.js';
import { longField } from '../choices/fields.js';
import { fill, h, icon } from '../dom.js';
import { viewOfBox } from '../geography.js';
import { language, plural, translate } from '../i18n.js';
import { foldedCredits } from '../map/controls.js';
import { lastView } from '../map/last-view.js';
import { createMap } from '../map/small-map.js';
import { onTheme, theme } from '../page/theme.js';
import { areaOf, boxOf, cornersOf, drawingOf, readCorners, writeCorners } from './days.js';

/** @typedef {import('./days.js').DayArea} DayArea */
/** @typedef {import('../types').Position} Position */

const ROOM = 32; // pixels around the area

/**
 * @param {import('./days.js').MappingDay | null} day
 * @param {import('../page/start.js').Settings} settings
 * @returns {import('../forms/fields.js').FormField}
 */
export function areaField(day, settings) {
  const field = longField({
    name: 'area', label: translate('mapping_day.area'), note: translate('mapping_day.area.note'),
    value: day ? writeCorners(cornersOf(day.area)) : '', isRequired: true, most: 10_000,
  });
  const control = /** @type {HTMLTextAreaElement} */ (field.control);
  const corners = () => readCorners(control.value);
  const pane = new AreaPane(settings, (drawn) => {
    control.value = writeCorners(drawn);
    control.dispatchEvent(new Event('input', { bubbles: true }));
    field.complain(null);
  });
  control.addEventListener('input', () => pane.show(corners()));
  pane.start(day?.area ?? null);
  return {
    ...field,
    element: h('div', { class: 'stack' }, pane.whole,
      h('details', {}, h('summary', {}, translate('mapping_day.area.typed')), field.element)),
    value: () => {
      const found = corners();
      return found ? areaOf(found) : null;
    },
    fault: () => (corners() ? null : translate('mapping_day.area.needed')),
    complain: (words) => {
      field.complain(words);
      if (words) /** @type {HTMLDetailsElement | null} */ (field.element.closest('details'))?.setAttribute('open', '');
    },
  };
}

/** A map to draw on, with the members of a map pane that drawing uses. */
class AreaPane {
  /** @param {import('../page/start.js').Settings} settings @param {(corners: Position[]) => void} drawn */
  constructor(settings, drawn) {
    this.settings = settings;
    this.drawn = drawn;
    /** @type {((position: Position) => void) | null} what a click on the map does */
    this.placing = null;
    /** @type {import('../map/map-view.js').MapView | null} */
    this.view = null;
    this.canvas = h('div', { class: 'map-canvas' });
    this.element = h('div', { class: 'day-map map', role: 'group', 'aria-label': translate('mapping_day.area.map') },
      this.canvas);
    this.button = h('button', { type: 'button', class: 'button day-draw', onclick: () => this.draw() }, icon('edit'),
      translate('mapping_day.area.draw'));
    this.said = h('p', { class: 'field-note', role: 'status' });
    this.whole = h('div', { class: 'stack' }, this.element, h('div', {}, this.button), this.said);
  }

  /** @param {DayArea | null} area */
  async start(area) {
    try {
      const around = area && viewOfBox(boxOf(area), 400 - 2 * ROOM, 320 - 2 * ROOM, 17);
      const view = await createMap({
        container: this.canvas, settings: this.settings, theme: theme(), language: language(), filters: null,
        lastZoom: 16, categories: [], view: around ?? lastView() ?? this.settings.view,
      });
      this.view = view;
      onTheme((now) => view.setTheme(now));
      view.map.on('click', (/** @type {{lngLat: {lng: number, lat: number}}} */ { lngLat }) => (
        this.placing?.([lngLat.lng, lngLat.lat])));
      this.element.append(h('div', { class: 'map-foot' }, foldedCredits(this.settings)));
      this.show(area && cornersOf(area));
    } catch {
      this.element.remove();
      this.button.remove();
      fill(this.said, translate('mapping_day.area.no_map'));
    }
  }

  async draw() {
    if (!this.view) return;
    this.button.hidden = true;
    const corners = await drawArea(/** @type {any} */ (this));
    this.button.hidden = false;
    this.button.focus();
    if (corners) this.drawn(corners);
  }

  /** @param {Position[] | null} corners */
  show(corners) {
    this.said.textContent = corners ? plural('draw_area.count', corners.length) : '';
    this.view?.describe(corners ? drawingOf(areaOf(corners), []) : { type: 'FeatureCollection', features: [] });
  }
}
