// @ts-check
// Card of the selected device, shown over the map.

import { connection, getJSON, Outage, Refusal } from '../api.js';
import { asksForALook } from '../claims/claims.js';
import { stillThere } from '../claims/still-there.js';
import { fill, h, icon, iconButton } from '../dom.js';
import { formatDay } from '../format.js';
import { fieldWords, termButton } from '../glossary/definition.js';
import { language, translate } from '../i18n.js';
import { categoryIcon, familyOf, label, scheme } from '../taxonomies.js';
import { readDevice } from './device.js';
import { displayName, prepareName } from './name.js';
import { operatorName } from './operator-name.js';
import { shareIcon } from './share.js';
import { marker, statusBadge, unknown } from './terms.js';

/** @typedef {import('./device.js').Device} Device */

/**
 * @typedef {object} CardContext
 * @property {() => void} close
 * @property {(device: Device) => void} found called after the device has loaded: draws it on the map
 * @property {(device: Device) => void} show moves the map to a device
 * @property {(height: number | null) => void} sized called with the height of the content in pixels; null: closed
 * @property {(id: string) => void} returnFocus moves the focus to the row of a device if the list was drawn again
 */

export class DeviceCard {
  /** @param {HTMLElement} element @param {CardContext} context */
  constructor(element, context) {
    this.element = element;
    this.context = context;
    /** @type {string | null} */
    this.id = null;
    /** @type {Device | null} */
    this.device = null;
    /** @type {Element | null} */
    this.opener = null;
    this.waiting = false;
    this.sizes = new ResizeObserver(() => this.tellSize());
    element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !element.querySelector(':popover-open')) context.close();
    });
    connection.onRecovery(() => {
      if (this.waiting && this.id) this.load(this.id);
    });
  }

  /**
   * Opens the card with the data known so far, then loads the device.
   * @param {string} id @param {Device | null} known @param {boolean} focus whether to move the focus to the card
   */
  open(id, known, focus) {
    if (this.id === null) this.opener = document.activeElement;
    this.id = id;
    this.device = known;
    this.element.hidden = false;
    if (known) this.draw(known);
    else this.drawWaiting();
    if (focus) this.element.querySelector('h2')?.focus({ preventScroll: true });
    this.load(id);
  }

  close() {
    const { id } = this;
    if (id === null) return;
    const inside = this.element.contains(document.activeElement);
    this.id = null;
    this.device = null;
    this.waiting = false;
    this.element.hidden = true;
    this.put();
    if (!inside) return;
    if (this.opener instanceof HTMLElement && this.opener.isConnected) this.opener.focus();
    else this.context.returnFocus(id);
  }

  /** @param {string} id */
  async load(id) {
    this.waiting = false;
    try {
      const [answer] = await Promise.all([
        getJSON(`/api/collections/devices/items/${encodeURIComponent(id)}`),
        scheme('glossary').catch(() => null), // without the glossary, terms have no definitions
      ]);
      const device = readDevice(answer);
      await prepareName(device);
      if (this.id !== id) return;
      const focused = this.element.contains(document.activeElement);
      this.device = device;
      this.draw(device);
      if (focused) this.element.querySelector('h2')?.focus({ preventScroll: true });
      this.context.found(device);
    } catch (error) {
      if (this.id !== id) return;
      this.waiting = error instanceof Outage;
      if (error instanceof Refusal) this.drawRefusal(error);
    }
  }

  /** @param {...import('../dom.js').Child} children */
  put(...children) {
    fill(this.element, ...children);
    this.sizes.disconnect();
    for (const child of this.element.children) this.sizes.observe(child);
    if (!this.element.children.length) this.context.sized(null);
  }

  tellSize() {
    const last = /** @type {HTMLElement | null} */ (this.element.lastElementChild);
    if (!last) return;
    const space = Number.parseFloat(getComputedStyle(this.element).paddingBottom) || 0;
    this.context.sized(last.offsetTop + last.offsetHeight + space);
  }

  /** @param {Device} device */
  draw(device) {
    const name = displayName(device);
    this.put(
      h('div', { class: 'card-head' },
        marker(categoryIcon(device.category), device.status, familyOf(device.category)),
        h('div', { class: 'card-title' },
          h('h2', { tabindex: '-1' }, name),
          h('p', {}, termButton('categories', device.category))),
        this.closeButton()),
      this.due(device),
      h('dl', { class: 'card-facts' },
        fact('data_collected', 'card.collects', device.dataCollected.length
          ? h('span', { class: 'chips' },
            ...device.dataCollected.map((code) => termButton('data', code, 'chip chip-data')))
          : unknown()),
        fact('operator', 'card.answers', operatorWords(device)),
        fact('status', 'card.status', statusBadge(device.status, true)),
        fact('last_confirmed', 'card.confirmed', formatDay(device.lastConfirmed, language()) ?? translate('never')),
        device.precision && device.precision !== 'exact'
          && fact('precision', 'card.place', termButton('precisions', device.precision))),
      h('div', { class: 'card-acts' },
        h('a', { class: 'button primary', href: `/devices/${device.id}` }, translate('card.open'), icon('right')),
        iconButton('pin', translate('card.show'), { class: 'framed', onclick: () => this.context.show(device) }),
        shareIcon(name, `/devices/${device.id}`)));
  }

  /** @param {Device} device */
  due(device) {
    if (!asksForALook(device, new Date().toISOString().slice(0, 10))) return null;
    return stillThere(device, async () => {
      await this.load(device.id);
      this.element.querySelector('h2')?.focus({ preventScroll: true });
    }, 'h3');
  }

  drawWaiting() {
    this.put(
      h('div', { class: 'card-head' },
        h('span', { class: 'skeleton skeleton-marker' }),
        h('div', { class: 'card-title' }, h('h2', { tabindex: '-1' }, translate('card.loading'))),
        this.closeButton()),
      h('span', { class: 'skeleton skeleton-line' }), h('span', { class: 'skeleton skeleton-line short' }));
  }

  /** @param {Refusal} refusal */
  drawRefusal(refusal) {
    const key = refusal.status === 410 ? 'gone.title' : 'missing.title';
    this.put(
      h('div', { class: 'card-head' },
        h('div', { class: 'card-title' },
          h('h2', { tabindex: '-1' },
            translate(refusal.status === 404 || refusal.status === 410 ? key : 'list.trouble'))),
        this.closeButton()),
      h('p', {}, refusal.status === 410
        ? translate('gone.card')
        : refusal.status === 404 ? translate('missing.card') : refusal.message));
  }

  closeButton() {
    return iconButton('close', translate('card.close'), { class: 'card-close', onclick: this.context.close });
  }
}

/** @param {string} field @param {string} key @param {Node | string} value */
function fact(field, key, value) {
  return h('div', {}, h('dt', {}, fieldWords(field, translate(key))), h('dd', {}, value));
}

/**
 * The operator of a device, as far as known.
 * @param {Device} device
 */
function operatorWords({ operator, category }) {
  if (operator.name) {
    const name = operatorName(operator.name, category);
    return operator.kind && operator.kind !== 'unknown'
      ? h('span', {}, name, ` (${label('operator_kinds', operator.kind).toLocaleLowerCase(language())})`) : name;
  }
  if (operator.kind && operator.kind !== 'unknown') return termButton('operator_kinds', operator.kind);
  return unknown();
}
