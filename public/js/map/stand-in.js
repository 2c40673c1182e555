// @ts-check
// The replacement of the map in a browser that cannot draw it.

import { fill, h, icon, iconButton } from '../dom.js';
import { MAX_ZOOM } from '../geography.js';
import { translate } from '../i18n.js';

/**
 * Shows the list first, with buttons for other areas.
 * @param {import('./pane.js').MapPane} pane
 */
export function showStandIn(pane) {
  document.body.classList.add('no-map');
  const move = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ zoom) => () => {
    const { longitude, latitude, zoom: now } = pane.place;
    const degrees = 180 / 2 ** now;
    pane.jump({
      longitude: longitude + x * degrees, latitude: Math.max(-80, Math.min(80, latitude + y * degrees * 0.6)),
      zoom: Math.max(0, Math.min(MAX_ZOOM, now + zoom)),
    });
  };
  fill(pane.element, h('div', { class: 'no-map-notice', role: 'note' },
    icon('map'),
    h('div', {}, h('p', { class: 'no-map-title' }, translate('map.none')), h('p', {}, translate('map.none.why')),
      h('div', { class: 'no-map-buttons', role: 'group', 'aria-label': translate('map.area') },
        iconButton('plus', translate('map.closer'), { class: 'framed', onclick: move(0, 0, 1) }),
        iconButton('minus', translate('map.wider'), { class: 'framed', onclick: move(0, 0, -1) }),
        iconButton('up', translate('map.move.north'), { class: 'framed', onclick: move(0, 1, 0) }),
        iconButton('down', translate('map.move.south'), { class: 'framed', onclick: move(0, -1, 0) }),
        iconButton('left', translate('map.move.west'), { class: 'framed', onclick: move(-1, 0, 0) }),
        iconButton('right', translate('map.move.east'), { class: 'framed', onclick: move(1, 0, 0) }),
        iconButton('locate', translate('map.locate'),
          { class: 'framed', id: 'locate', onclick: pane.acts?.locate })))));
}
