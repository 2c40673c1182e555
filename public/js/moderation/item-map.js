// @ts-check
// A small map with one device, to decide about it.

import { readDevice } from '../devices/device.js';
import { withName } from '../devices/late-name.js';
import { fill, h } from '../dom.js';
import { language, translate } from '../i18n.js';
import { foldedCredits } from '../map/controls.js';
import { OneMap } from '../map/one-map.js';
import { createMap } from '../map/small-map.js';
import { hasStreets } from '../map/street-maps.js';
import { settings as askSettings } from '../page/start.js';
import { theme } from '../page/theme.js';

/** @typedef {{id: string, name: string, category: string, status: string, geometry?: any}} Shown */

/**
 * Removes itself if the browser cannot draw a map: the position is also written next to it.
 * @param {Shown} device with a point as geometry
 * @param {OneMap} [maps] maps of which the page shows one at a time; by default the map stays next to others
 */
export function itemMap(device, maps = new OneMap()) {
  const element = h('div', { class: 'item-map map', role: 'group' });
  withName(device, (name) => element.setAttribute('aria-label', translate('order.map', { name })));
  draw(element, device, maps.begin()).catch(() => element.remove());
  return element;
}

/** @param {HTMLElement} element @param {Shown} device @param {ReturnType<OneMap['begin']>} keep */
async function draw(element, device, keep) {
  const settings = await askSettings();
  const canvas = h('div', { class: 'map-canvas' });
  fill(element, canvas);
  const { coordinates } = /** @type {import('../types').Point} */ (device.geometry);
  const [longitude, latitude] = coordinates;
  const view = await createMap({
    container: canvas, settings, theme: theme(), language: language(), filters: '', lastZoom: 16,
    categories: [device.category],
    view: { longitude, latitude, zoom: hasStreets(settings, coordinates) ? 16 : 11 },
  });
  if (!keep(view)) return;
  view.map.scrollZoom.disable();
  view.choose(readDevice(
    /** @type {any} */ ({ type: 'Feature', id: device.id, geometry: device.geometry, properties: device })));
  element.append(h('div', { class: 'map-foot' }, foldedCredits(settings)));
}
