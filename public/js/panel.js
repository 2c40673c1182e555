// @ts-check
// The list of the map page. On a phone it is a sheet over the map, moved by its handle or its buttons.

import { iconButton, h, prefersStillness } from './dom.js';
import { translate } from './i18n.js';

/** @typedef {'peek' | 'half' | 'full'} Stop */

const STOPS = /** @type {Stop[]} */ (['peek', 'half', 'full']);
const PEEK = 92; // pixels: the handle and the count
const HANDLE = 24; // pixels above the content
const TOP = 76; // pixels left for the search field
const phone = matchMedia('(max-width: 799.98px)');
const low = matchMedia('(max-height: 499.98px)');

export function isPhone() {
  return phone.matches;
}

/** Whether the window is as low as a phone held sideways. */
export function isLow() {
  return low.matches;
}

/**
 * Adds a listener for the moment when the window becomes wider than a phone.
 * @param {() => void} listener
 */
export function onWide(listener) {
  phone.addEventListener('change', () => { if (!isPhone()) listener(); });
}

/** @param {Stop} stop */
function heightOf(stop) {
  if (stop === 'peek') return PEEK;
  const full = Math.max(PEEK, innerHeight - TOP); // also in a window of a few pixels, before a browser has its size
  return stop === 'full' ? full : Math.min(full, Math.max(260, Math.round(innerHeight * 0.5)));
}

/**
 * The number of pixels of the map that the sheet covers at a stop.
 * @param {Stop} stop
 */
export function coveredAt(stop) {
  return isPhone() ? Math.min(heightOf(stop), heightOf('half')) : 0;
}

export class Sheet {
  /**
   * @param {HTMLElement} panel @param {HTMLElement} handle
   * @param {HTMLElement} body the part that is hidden at the lowest stop
   * @param {(covered: number) => void} moved called with the number of pixels of the map that the sheet covers
   */
  constructor(panel, handle, body, moved) {
    this.panel = panel;
    this.body = body;
    this.moved = moved;
    /** @type {Stop} */
    this.stop = 'peek';
    /** @type {number | null} */
    this.lent = null;
    /** @type {number | null} height of a card that replaces the list */
    this.card = null;
    this.higher = iconButton('up', translate('sheet.higher'), { class: 'sheet-step', onclick: () => this.step(1) });
    this.lower = iconButton('down', translate('sheet.lower'), { class: 'sheet-step', onclick: () => this.step(-1) });
    handle.append(
      h('span', { class: 'sheet-grip', 'aria-hidden': 'true' }),
      h('span', { class: 'sheet-steps' }, this.higher, this.lower));
    this.listen(handle);
    phone.addEventListener('change', () => this.settle());
    addEventListener('resize', () => this.settle());
    this.settle();
  }

  /** @param {Stop} stop */
  setStop(stop) {
    this.stop = stop;
    this.settle();
  }

  /**
   * Raises the sheet to a stop, unless it is higher.
   * @param {Stop} stop
   */
  atLeast(stop) {
    if (STOPS.indexOf(this.stop) < STOPS.indexOf(stop)) this.setStop(stop);
  }

  /** @param {1 | -1} way */
  step(way) {
    const next = STOPS[STOPS.indexOf(this.stop) + way];
    if (next) this.setStop(next);
  }

  /**
   * Another element covers the map in the meantime.
   * @param {number | null} covered pixels; null: the sheet is visible again
   */
  lend(covered) {
    this.lent = covered;
    this.settle();
  }

  /**
   * A card replaces the list: half open, the sheet is not higher than the card.
   * @param {number | null} height of the card; null: the list is back
   */
  fit(height) {
    if (height === this.card) return;
    this.card = height;
    this.settle();
  }

  get height() {
    const height = heightOf(this.stop);
    return this.stop === 'half' && this.card ? Math.max(PEEK, Math.min(height, this.card + HANDLE)) : height;
  }

  /** The number of pixels of the map that are covered. */
  get covered() {
    return isPhone() ? this.lent ?? Math.min(this.height, coveredAt(this.stop)) : 0;
  }

  settle() {
    this.panel.dataset.stop = this.stop;
    const low = isPhone() && this.stop === 'peek';
    this.body.inert = low;
    this.higher.toggleAttribute('disabled', this.stop === 'full');
    this.lower.toggleAttribute('disabled', this.stop === 'peek');
    if (isPhone()) {
      this.panel.style.height = `${this.height}px`;
      document.documentElement.style.setProperty('--sheet', `${this.covered}px`);
    } else {
      this.panel.style.removeProperty('height');
      document.documentElement.style.removeProperty('--sheet');
    }
    this.moved(this.covered);
  }

  /** @param {HTMLElement} handle */
  listen(handle) {
    let start = 0;
    let from = 0;
    let dragging = false;
    handle.addEventListener('pointerdown', (event) => {
      const isOnButton = event.target instanceof Element && event.target.closest('button, a');
      if (!isPhone() || event.button !== 0 || isOnButton) return;
      dragging = true;
      start = event.clientY;
      from = this.panel.offsetHeight;
      handle.setPointerCapture(event.pointerId);
      this.panel.classList.add('is-dragged');
    });
    handle.addEventListener('pointermove', (event) => {
      if (!dragging) return;
      const height = Math.max(PEEK, Math.min(heightOf('full'), from + start - event.clientY));
      this.panel.style.height = `${height}px`;
    });
    const end = (/** @type {PointerEvent} */ event) => {
      if (!dragging) return;
      dragging = false;
      this.panel.classList.remove('is-dragged');
      const pulled = start - event.clientY;
      if (Math.abs(pulled) < 6) this.setStop(this.stop === 'peek' ? 'half' : 'peek');
      else this.setStop(this.nearest(from + pulled, pulled));
    };
    handle.addEventListener('pointerup', end);
    handle.addEventListener('pointercancel', end);
    if (prefersStillness()) this.panel.classList.add('is-still');
  }

  /**
   * The stop at which a pull ends, its momentum included.
   * @param {number} height @param {number} pulled
   */
  nearest(height, pulled) {
    const aimed = height + pulled * 0.35;
    return STOPS.reduce((best, stop) => (
      Math.abs(heightOf(stop) - aimed) < Math.abs(heightOf(best) - aimed) ? stop : best));
  }
}
