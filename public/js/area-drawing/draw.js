// @ts-check
// Draws an area on the map: a click or tap adds a corner there, the crosshair one in the middle of the map. Keyboard:
// arrow keys move the map, Enter adds a corner, Backspace removes the last one, Escape cancels.

import { crosshair } from '../add/crosshair.js';
import { h, icon } from '../dom.js';
import { styleSheet } from '../fields/fields.js';
import { wrapLongitude } from '../geography.js';
import { plural, translate } from '../i18n.js';
import { drawing, fault, withCorner } from './ring.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {import('../map/pane.js').MapPane} MapPane */

const HINT = 'draw-area-hint';
const NOTHING = /** @type {import('../types').FeatureCollection} */ ({ type: 'FeatureCollection', features: [] });

/**
 * @param {MapPane} pane whose map is drawn
 * @returns {Promise<Position[] | null>} the corners; null if the user cancels, or if the page has no map
 */
export async function drawArea(pane) {
  const { view } = pane;
  if (!view) return null;
  await styleSheet('css/add.css');
  return new Promise((resolve) => { new Drawing(pane, view, resolve).start(); });
}

class Drawing {
  /**
   * @param {MapPane} pane @param {import('../map/map-view.js').MapView} view
   * @param {(corners: Position[] | null) => void} resolve
   */
  constructor(pane, view, resolve) {
    this.pane = pane;
    this.view = view;
    this.resolve = resolve;
    /** @type {Position[]} */
    this.corners = [];
    this.said = h('p', { class: 'draw-said', role: 'status' });
    this.undo = this.button('undo', 'back', () => this.set(this.corners.slice(0, -1)));
    this.done = this.button('done', 'check', () => this.finish());
    this.done.classList.add('primary');
    this.bar = h('section', { class: 'draw-bar', 'aria-label': translate('draw_area.title') },
      h('p', { id: HINT }, translate('draw_area.hint')), this.said,
      h('div', { class: 'draw-acts' },
        this.button('corner', 'plus', () => this.addMiddle()), this.undo, this.done,
        this.button('cancel', 'close', () => this.end(null))));
    this.onKey = this.onKey.bind(this);
  }

  /** @param {string} name @param {string} symbol @param {() => void} onclick */
  button(name, symbol, onclick) {
    const attributes = { type: 'button', class: 'button', 'data-draw': name, onclick };
    return /** @type {HTMLButtonElement} */ (h('button', attributes, icon(symbol),
      h('span', {}, translate(`draw_area.${name}`))));
  }

  start() {
    const { pane, view } = this;
    document.body.classList.add('is-drawing');
    pane.placing = (position) => this.set(withCorner(this.corners, position));
    this.cross = crosshair(pane.element, view, {
      place: () => this.addMiddle(), describedBy: HINT, label: translate('draw_area.crosshair'),
    });
    pane.element.append(this.bar);
    pane.element.addEventListener('keydown', this.onKey);
    view.map.getCanvas().classList.add('is-placing');
    this.set([]);
    this.cross.element.focus();
  }

  addMiddle() {
    const { lng, lat } = this.view.map.getCenter();
    this.set(withCorner(this.corners, [wrapLongitude(lng), lat]));
  }

  /** @param {Position[]} corners */
  set(corners) {
    this.corners = corners;
    this.view.describe(drawing(corners));
    const problem = corners.length ? fault(corners) : null;
    this.said.textContent = [
      plural('draw_area.count', corners.length), problem && translate(problem),
    ].filter(Boolean).join(' ');
    this.undo.disabled = corners.length === 0;
    this.done.disabled = fault(corners) !== null;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key === 'Escape') this.end(null);
    else if (event.key === 'Backspace' || event.key === 'Delete') this.set(this.corners.slice(0, -1));
    else return;
    event.preventDefault();
  }

  finish() {
    if (!fault(this.corners)) this.end(this.corners);
  }

  /** @param {Position[] | null} corners */
  end(corners) {
    const { pane, view } = this;
    pane.placing = null;
    pane.element.removeEventListener('keydown', this.onKey);
    view.map.getCanvas().classList.remove('is-placing');
    view.describe(NOTHING);
    this.cross?.remove();
    this.bar.remove();
    document.body.classList.remove('is-drawing');
    this.resolve(corners);
  }
}
