// @ts-check
// A map of the old and the new place of a device. Both points are the public ones.

import { h } from '../dom.js';
import { language } from '../i18n.js';
import { foldedCredits } from '../map/controls.js';
import { OneMap } from '../map/one-map.js';
import { createMap } from '../map/small-map.js';
import { settings as askSettings } from '../page/start.js';
import { onTheme, theme } from '../page/theme.js';
import { maplibre } from '../vendor.js';

/** @typedef {import('../geography.js').Position} Position */

const one = new OneMap();

/**
 * Removes itself if the browser cannot draw a map: the text next to it gives the same information.
 * @param {Position} before @param {Position} after @param {string} category
 * @param {{map: string, before: string, after: string}} words names of the map and of its two places
 */
export function movementMap(before, after, category, words) {
  const element = h('div', { class: 'map movement-map', role: 'group', 'aria-label': words.map });
  draw(element, [[words.before, before], [words.after, after]], category, one.begin()).catch(() => element.remove());
  return element;
}

/**
 * @param {HTMLElement} element @param {[string, Position][]} places @param {string} category
 * @param {ReturnType<OneMap['begin']>} keep
 */
async function draw(element, places, category, keep) {
  const [[, before], [, after]] = places;
  const settings = await askSettings();
  const canvas = h('div', { class: 'map-canvas' });
  element.append(canvas);
  const view = await createMap({
    container: canvas, settings, theme: theme(), language: language(), filters: null, lastZoom: 16,
    categories: [category],
    view: { longitude: after[0], latitude: after[1], zoom: 10 },
  });
  if (!keep(view)) return;
  for (const name of ['scrollZoom', 'dragPan', 'keyboard', 'doubleClickZoom', 'touchZoomRotate']) {
    view.map[name].disable();
  }
  view.map.getCanvas().setAttribute('tabindex', '-1');
  onTheme((now) => element.isConnected && view.setTheme(now));
  for (const [index, [words, position]] of places.entries()) {
    const mark = h('span', { class: `movement-mark ${index ? 'is-after' : 'is-before'}` }, h('span', {}, words));
    new (maplibre().Marker)({ element: mark }).setLngLat(position).addTo(view.map);
  }
  const [west, east] = [before[0], after[0]].sort((a, b) => a - b);
  const [south, north] = [before[1], after[1]].sort((a, b) => a - b);
  view.fit(east - west > 180 ? [east, south, west, north] : [west, south, east, north], 15);
  element.append(h('div', { class: 'map-foot' }, foldedCredits(settings)));
}
