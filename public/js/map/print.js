// @ts-check
// Lets a map be printed. The browser clears what WebGL drew, so that a printed page would show an empty map: a copy of
// the drawing takes its place while the page is printed.

import { h } from '../dom.js';
import { repaint } from './markers.js';

/** @typedef {import('./map-view.js').MapView} MapView */

/** @param {MapView} view @param {HTMLElement} place in which the map is */
export function printable(view, place) {
  /** @type {HTMLElement | null} */
  let copy = null;
  addEventListener('beforeprint', () => {
    const canvas = view.map.getCanvas();
    const drawn = /** @type {HTMLCanvasElement} */ (h('canvas', { class: 'map-copy', 'aria-hidden': 'true' }));
    drawn.width = canvas.width;
    drawn.height = canvas.height;
    // The colours of the map already suit paper. New images for its markers would come too late.
    repaint(view.map, 'light');
    view.map.redraw(); // The drawing lasts until the end of this task.
    drawn.getContext('2d')?.drawImage(canvas, 0, 0);
    copy?.remove();
    copy = drawn;
    place.append(drawn);
  });
  addEventListener('afterprint', () => {
    copy?.remove();
    copy = null;
    repaint(view.map, null);
  });
}
