// @ts-check
// The map of a place: its border and its devices. It stays still, so that a page can be scrolled over it.

import { h } from '../dom.js';
import { viewOfPlace } from '../geography.js';
import { language, translate } from '../i18n.js';
import { foldedCredits } from '../map/controls.js';
import { createMap } from '../map/small-map.js';
import { deviceTiles, settings as askSettings } from '../page/start.js';
import { onTheme, theme } from '../page/theme.js';
import { borderOf } from '../places/border.js';

/** @typedef {import('../types').Place} Place */
/** @typedef {import('../geography.js').Box} Box */

const SIZE = { width: 640, height: 380 }; // pixels, if the element is not yet drawn

/**
 * Removes itself if the browser cannot draw a map: the page says the same in words.
 * @param {Place} place @param {string} name @param {string} address of the whole map
 */
export function placeMap(place, name, address) {
  const words = translate('place.map', { place: name });
  const element = h('div', { class: 'map place-map', role: 'group', 'aria-label': words });
  const link = h('a', { class: 'button place-map-open', href: address }, translate('place.open_map'));
  draw(element, place, link).catch(() => element.remove());
  return element;
}

/** @param {HTMLElement} element @param {Place} place @param {HTMLElement} link */
async function draw(element, place, link) {
  const [settings, tiles] = await Promise.all([askSettings(), deviceTiles()]);
  const canvas = h('div', { class: 'map-canvas' });
  const foot = h('div', { class: 'map-foot' }, link, foldedCredits(settings, tiles.attribution ?? ''));
  element.append(canvas, foot);
  const { width, height } = element.clientWidth
    ? { width: element.clientWidth, height: element.clientHeight } : SIZE;
  // The place is above the credits.
  const bottom = foot.offsetHeight;
  const shown = viewOfPlace(place, Math.max(1, width - 32), Math.max(1, height - bottom - 32));
  const [view, border] = await Promise.all([
    createMap({
      container: canvas, settings, theme: theme(), language: language(), filters: `place=${place.id}`, categories: [],
      lastZoom: Number.isInteger(tiles.maxzoom) ? Number(tiles.maxzoom) : 16, view: shown,
    }),
    borderOf(place, shown.zoom),
  ]);
  for (const name of ['scrollZoom', 'dragPan', 'keyboard', 'doubleClickZoom', 'touchZoomRotate']) {
    view.map[name].disable();
  }
  view.map.getCanvas().setAttribute('tabindex', '-1');
  view.outline(border ?? (place.bbox?.length === 4 ? /** @type {Box} */ (place.bbox) : null));
  view.map.setPadding({ bottom });
  onTheme((now) => view.setTheme(now));
}
