// @ts-check
// The map on the page of an operator: its devices, as tiles.

import { h } from '../dom.js';
import { language, translate } from '../i18n.js';
import { foldedCredits } from '../map/controls.js';
import { createMap } from '../map/small-map.js';
import { printable } from '../map/print.js';
import { settings as askSettings } from '../page/start.js';
import { onTheme, theme } from '../page/theme.js';
import { devicesQuery, operatorView } from './named.js';

/** @typedef {import('./named.js').NamedDetails} NamedDetails */

/**
 * Removes itself if the browser cannot draw a map: the towns are listed below.
 * @param {NamedDetails} operator
 */
export function namedMap(operator) {
  const place = h('div', { class: 'map operator-map' });
  const element = h('section', { 'aria-label': translate('named.map', { name: operator.name }) }, place);
  // The width is known when the page shows the element.
  requestAnimationFrame(() => draw(place, operator).catch(() => element.remove()));
  return element;
}

/** @param {HTMLElement} place @param {NamedDetails} operator */
async function draw(place, operator) {
  const settings = await askSettings();
  const canvas = h('div', { class: 'map-canvas' });
  const foot = h('div', { class: 'map-foot' }, foldedCredits(settings));
  place.replaceChildren(canvas, foot);
  const bottom = foot.offsetHeight; // the devices are above the credits
  const view = await createMap({
    container: canvas, settings, theme: theme(), language: language(), filters: devicesQuery(operator), lastZoom: 16,
    categories: operator.categories.map(({ code }) => code),
    view: operatorView(operator.bbox, place.clientWidth, place.clientHeight - bottom),
  });
  view.map.setPadding({ bottom });
  view.map.scrollZoom.disable();
  view.map.cooperativeGestures?.enable?.();
  onTheme((now) => view.setTheme(now));
  printable(view, place);
}
