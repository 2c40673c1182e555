// @ts-check
// The menu of a place on the map: a right click, a long press, or the menu key for the middle of the map.

import { h, icon, iconButton } from '../dom.js';
import { wrapLongitude } from '../geography.js';
import { translate } from '../i18n.js';
import { routesAddress } from '../routes/address.js';

/** @typedef {import('./map-view.js').MapView} MapView */

const PRESS = 600; // milliseconds until a touch is a long press: Safari has no event for it

/**
 * @param {MapView} view @param {HTMLElement} container of the map
 */
export function hereMenu({ map }, container) {
  /** @type {HTMLElement | null} */
  let open = null;
  const close = () => {
    if (!open) return;
    const had = open.contains(document.activeElement);
    open.remove();
    open = null;
    if (had) map.getCanvas().focus();
  };
  const show = (/** @type {import('../types').Position} */ position) => {
    close();
    const first = h('a', { class: 'button', href: routesAddress('to', position) }, icon('compass'),
      translate('routes.quiet_to'));
    open = h('section', {
      class: 'context-card here-menu', 'aria-label': translate('map.here_menu'),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      },
    }, iconButton('close', translate('close'), { class: 'context-close', onclick: close }), first);
    container.append(open);
    first.focus();
  };
  map.on('contextmenu', (/** @type {{lngLat: {lng: number, lat: number}, preventDefault: () => void}} */ event) => {
    event.preventDefault();
    show([wrapLongitude(event.lngLat.lng), event.lngLat.lat]);
  });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pressing;
  // A click that ends the press does not close its menu.
  let isPressed = false;
  map.on('touchstart', (/** @type {{lngLat: {lng: number, lat: number}, points: unknown[]}} */ { lngLat, points }) => {
    clearTimeout(pressing);
    isPressed = false;
    if (points.length !== 1) return;
    pressing = setTimeout(() => {
      isPressed = true;
      show([wrapLongitude(lngLat.lng), lngLat.lat]);
    }, PRESS);
  });
  for (const end of ['touchmove', 'touchend', 'touchcancel', 'movestart', 'contextmenu']) {
    map.on(end, () => clearTimeout(pressing));
  }
  // The key has no pointer: the middle of the map is meant.
  map.getCanvas().addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'ContextMenu' && !(event.shiftKey && event.key === 'F10')) return;
    event.preventDefault();
    const { lng, lat } = map.getCenter();
    show([wrapLongitude(lng), lat]);
  });
  map.on('click', () => { if (!isPressed) close(); });
  map.on('movestart', (/** @type {{originalEvent?: Event}} */ event) => { if (event.originalEvent) close(); });
}
