// @ts-check
// A card for the other layers at the tapped point or in the middle of the map: features of further collections, and the
// square of the heat map.

import { fill, h, iconButton } from '../dom.js';
import { translate } from '../i18n.js';
import { contextAt } from './context-features.js';

/** @typedef {import('./context-features.js').ContextFeature} ContextFeature */
/** @typedef {import('./map-view.js').MapView} MapView */

export class ContextCard {
  /**
   * @param {MapView} view
   * @param {(position: import('../types').Position) => HTMLElement | null} square description of the heat map’s
   *   square at a position
   */
  constructor(view, square) {
    this.view = view;
    this.square = square;
    /** @type {Element | null} the element that had the focus before the card opened */
    this.before = null;
    this.element = h('section', {
      class: 'context-card', 'aria-label': translate('map.layers'), hidden: true,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        this.close();
      },
    });
  }

  /**
   * Describes the features at a point of the window, if there are any.
   * @param {{x: number, y: number}} point
   */
  showAt(point) {
    const found = this.at(point);
    if (found.length > 0) this.show(found);
    else this.close();
  }

  /** @param {{x: number, y: number}} point @returns {HTMLElement[]} */
  at(point) {
    const { lng, lat } = this.view.map.unproject([point.x, point.y]);
    const square = this.square([lng, lat]);
    return [...(square ? [square] : []), ...contextAt(this.view, point).map(article)];
  }

  /** Describes the features in the middle of the map, for users who cannot tap on it. */
  showMiddle() {
    this.show(this.at(this.view.map.project(this.view.map.getCenter())));
  }

  /** @param {HTMLElement[]} articles */
  show(articles) {
    if (!this.element.contains(document.activeElement)) this.before = document.activeElement;
    fill(this.element,
      iconButton('close', translate('close'), { class: 'context-close', onclick: () => this.close() }),
      ...articles,
      articles.length === 0 && h('p', {}, translate('map.layers.nothing')));
    this.element.hidden = false;
    const first = this.element.querySelector('h2') ?? this.element.querySelector('p');
    first?.setAttribute('tabindex', '-1');
    first?.focus();
  }

  close() {
    if (this.element.hidden) return;
    const had = this.element.contains(document.activeElement);
    this.element.hidden = true;
    if (had && this.before instanceof HTMLElement) this.before.focus();
  }
}

/** @param {ContextFeature} feature */
function article({ collection, id, name, facts }) {
  const page = `/api/collections/${encodeURIComponent(collection.id)}/items/${encodeURIComponent(id)}?f=html`;
  return h('article', {},
    h('p', { class: 'context-of' }, h('bdi', {}, collection.title)),
    h('h2', {}, h('bdi', {}, name ?? id)),
    facts.length === 0 ? h('p', {}, translate('map.layers.bare')) : h('dl', {}, ...facts.map(([key, value]) => (
      h('div', {}, h('dt', {}, h('bdi', {}, key)), h('dd', {}, h('bdi', {}, words(value))))))),
    h('a', { href: page }, translate('map.layers.page')));
}

/** @param {string | number | boolean} value */
function words(value) {
  if (typeof value === 'boolean') return translate(value ? 'map.layers.true' : 'map.layers.false');
  // As in the file: a number may be a year or a code.
  return String(value);
}
