// @ts-check
// A crosshair that remains in the middle of the map while the map moves beneath it. Keyboard: arrow
// keys move the map, Shift moves it further, plus and minus zoom, Enter sets the position.

import { h, prefersStillness } from '../dom.js';
import { svg } from '../fields/svg.js';
import { translate } from '../i18n.js';

/** @typedef {import('../map/map-view.js').MapView} MapView */

const STEP = 8; // pixels
const FAR = 80;
const MOVES = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

/**
 * Puts the crosshair over a map.
 * @param {HTMLElement} container
 * @param {MapView} view
 * @param {{place: () => void, describedBy: string, label?: string}} context
 * @returns {{element: HTMLElement, remove: () => void}}
 */
export function crosshair(container, view, { place, describedBy, label = translate('add.crosshair') }) {
  const { map } = view;
  const drawing = svg('svg', { viewBox: '-32 -32 64 64', 'aria-hidden': 'true' },
    ...['cross-halo', 'cross-line'].map((look) => svg('path', { class: look, d: 'M0 -30V-7M0 7V30M-30 0H-7M7 0H30' })),
    svg('circle', { class: 'cross-ring', r: 18 }), svg('circle', { class: 'cross-dot', r: 2.5 }));
  const element = h('button', {
    type: 'button', class: 'crosshair', 'aria-label': label, 'aria-describedby': describedBy,
    'aria-keyshortcuts': 'Enter',
  });
  element.append(drawing);
  const follow = () => {
    const { x, y } = map.project(map.getCenter());
    element.style.left = `${Math.round(x)}px`;
    element.style.top = `${Math.round(y)}px`;
  };
  const duration = () => (prefersStillness() ? 0 : 150);
  element.addEventListener('keydown', (event) => {
    const way = MOVES[event.key];
    if (way) {
      const step = event.shiftKey ? FAR : STEP;
      map.panBy([way[0] * step, way[1] * step], { duration: 0 });
    } else if (['+', '='].includes(event.key)) map.easeTo({ zoom: map.getZoom() + 1, duration: duration() });
    else if (['-', '−'].includes(event.key)) map.easeTo({ zoom: map.getZoom() - 1, duration: duration() });
    else return;
    event.preventDefault();
  });
  element.addEventListener('click', place);
  container.prepend(element); // before the map in the tab order, for keyboard users
  map.on('move', follow);
  map.on('resize', follow);
  follow();
  return {
    element,
    remove: () => {
      map.off('move', follow);
      map.off('resize', follow);
      element.remove();
    },
  };
}
