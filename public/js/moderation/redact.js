// @ts-check
// Rectangles that the moderator draws over a photo, with the pointer or as numbers, to redact it permanently.

import { fill, h, icon, iconButton } from '../dom.js';
import { translate } from '../i18n.js';
import { rectangle } from './words.js';

/** @typedef {ReturnType<typeof rectangle>} Region */

const SIDES = /** @type {const} */ (['x', 'y', 'width', 'height']);

/** A photo with rectangles on top. */
export class Redaction {
  /** @param {{id: string, alt: string, url: string}} photo */
  constructor(photo) {
    /** @type {Region[]} */
    this.regions = [];
    this.layer = h('div', { class: 'redact-layer' });
    this.list = h('ul', { class: 'redact-list' });
    this.picture = h('div', { class: 'redact-picture' },
      h('img', { src: photo.url, alt: photo.alt, draggable: 'false' }), this.layer);
    this.element = h('div', { class: 'redact' },
      h('p', { class: 'section-note' }, translate('order.redact.how')), this.picture, this.list,
      h('button',
        { type: 'button', class: 'button', onclick: () => this.add({ x: 0.4, y: 0.4, width: 0.2, height: 0.2 }, true) },
        icon('plus'), translate('order.redact.add')));
    this.listen();
  }

  listen() {
    /** @type {{x: number, y: number} | null} */
    let from = null;
    /** @param {PointerEvent} event */
    const at = (event) => {
      const box = this.picture.getBoundingClientRect();
      return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
    };
    const draft = h('div', { class: 'redact-region is-draft', hidden: true });
    this.picture.append(draft);
    this.picture.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      from = at(event);
      this.picture.setPointerCapture(event.pointerId);
    });
    this.picture.addEventListener('pointermove', (event) => {
      if (!from) return;
      draft.hidden = false;
      place(draft, rectangle(from, at(event)));
    });
    const end = (/** @type {PointerEvent} */ event) => {
      if (!from) return;
      const region = rectangle(from, at(event));
      from = null;
      draft.hidden = true;
      if (region.width > 0.005 && region.height > 0.005) this.add(region, false);
    };
    this.picture.addEventListener('pointerup', end);
    this.picture.addEventListener('pointercancel', () => {
      from = null;
      draft.hidden = true;
    });
  }

  /** @param {Region} region @param {boolean} focus whether to move the focus to its numbers */
  add(region, focus) {
    this.regions.push(region);
    this.draw();
    const first = this.list.querySelector('li:last-child input');
    if (focus && first instanceof HTMLElement) first.focus();
  }

  draw() {
    fill(this.layer, ...this.regions.map((region) => {
      const mark = h('div', { class: 'redact-region' });
      place(mark, region);
      return mark;
    }));
    fill(this.list, ...this.regions.map((region, number) => this.row(region, number)));
  }

  /** @param {Region} region @param {number} number */
  row(region, number) {
    const words = translate('order.redact.region', { number: number + 1 });
    return h('li', {}, h('fieldset', {}, h('legend', {}, words),
      ...SIDES.map((side) => h('label', {}, translate(`order.redact.${side}`),
        h('input', {
          type: 'number', min: '0', max: '100', step: '1', inputmode: 'numeric',
          value: String(Math.round(region[side] * 100)),
          oninput: (/** @type {Event} */ event) => this.change(region, side,
            /** @type {HTMLInputElement} */ (event.target).valueAsNumber),
        }), h('span', { 'aria-hidden': 'true' }, '%'))),
      iconButton('trash', translate('order.redact.remove', { number: number + 1 }), {
        onclick: () => {
          this.regions.splice(number, 1);
          this.draw();
        },
      })));
  }

  /** @param {Region} region @param {typeof SIDES[number]} side @param {number} percent */
  change(region, side, percent) {
    if (!Number.isFinite(percent)) return;
    region[side] = Math.min(100, Math.max(0, percent)) / 100;
    const mark = this.layer.children[this.regions.indexOf(region)];
    if (mark instanceof HTMLElement) place(mark, region);
  }
}

/** @param {HTMLElement} element @param {Region} region */
function place(element, { x, y, width, height }) {
  element.style.left = `${x * 100}%`;
  element.style.top = `${y * 100}%`;
  element.style.width = `${Math.min(width, 1 - x) * 100}%`;
  element.style.height = `${Math.min(height, 1 - y) * 100}%`;
}
