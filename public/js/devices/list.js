// @ts-check
// List next to the map, with the same devices, area and filters.

import { connection, getJSON, isAbort, latestOnly, Outage } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { keepPlaces } from '../places/nearest.js';
import { filterCount, filterParameters } from '../state.js';
import { familyOf } from '../taxonomies.js';
import { isOld, oldTitle } from './age.js';
import { readDevice } from './device.js';
import { familiesOf, kindsTitle } from './kinds.js';
import { addSupplements, ITEMS, listedPlace, listPath, MORE, originOf } from './list-request.js';
import { deviceRow, fillRow, skeletonRows } from './row.js';

/** @typedef {import('../types').DevicePage} DevicePage */
/** @typedef {import('../geography.js').Box} Box */
/** @typedef {import('../geography.js').Position} Position */
/** @typedef {import('../state.js').PageState} PageState */
/** @typedef {import('./device.js').Device} Device */

/**
 * @typedef {object} ListContext
 * @property {() => PageState} state
 * @property {() => Box} box bounding box of the map view
 * @property {() => Position} middle
 * @property {() => string | null} nearestPlace
 * @property {(device: Device) => void} choose
 * @property {() => void} resetFilters
 * @property {() => void} leaveSpot
 * @property {(device: Device) => void} go moves the map to a device outside the view
 * @property {(count: number | null) => void} counted
 * @property {() => void} add starts adding a device
 * @property {{path: string, answer: Promise<DevicePage>}} [ahead] the request that was sent before the list existed
 */

export class DeviceList {
  /** @param {HTMLElement} title @param {HTMLElement} body @param {ListContext} context */
  constructor(title, body, context) {
    this.title = title;
    this.body = body;
    this.context = context;
    this.ask = latestOnly();
    /** @type {Map<import('../families.js').Family, number>} */
    this.kinds = new Map();
    /** @type {Position | null} the position of the user */
    this.here = null;
    /** @type {Position | null} the position from which the rows measure */
    this.origin = null;
    /** @type {import('../map/named-streets.js').StreetOf | null} */
    this.streetOf = null;
    /** @type {Device[]} */
    this.devices = [];
    /** @type {number | null} */
    this.count = null;
    /** @type {string | null} */
    this.next = null;
    this.asked = '';
    /** Number of requests sent. Only the latest response is shown. */
    this.turn = 0;
    this.failed = false;
    this.ahead = context.ahead;
    fill(body, h('ul', { class: 'device-list' }, ...skeletonRows(6)));
    title.textContent = translate('list.loading');
    connection.onRecovery(() => this.refresh(true));
  }

  /**
   * Sorts by distance from a position from now on; null: from the middle of the view, as before.
   * @param {Position | null} position
   */
  sortFrom(position) {
    this.here = position;
    this.refresh();
  }

  /**
   * @param {boolean} [again] whether to load even without a change
   * @param {boolean} [quietly] whether the caller announces the result
   */
  async refresh(again = false, quietly = false) {
    const state = this.context.state();
    const box = this.context.box();
    const path = listPath(state, box, this.here);
    if (path === this.asked && !again && !this.failed) return;
    this.asked = path;
    this.turn += 1;
    const { turn } = this;
    this.body.setAttribute('aria-busy', 'true');
    try {
      const answer = await this.answer(path);
      if (turn !== this.turn) return;
      this.failed = false;
      this.origin = originOf(state, box, this.here);
      this.take(answer, []);
      await this.draw();
      if (turn !== this.turn) return; // a later request is pending
      if (!quietly) this.tell();
    } catch (error) {
      if (isAbort(error) || turn !== this.turn) return;
      this.failed = true;
      this.drawTrouble(error);
    }
    this.body.removeAttribute('aria-busy');
  }

  /**
   * Returns the response to a request. The early request serves the first call only.
   * @param {string} path
   */
  answer(path) {
    const { ahead } = this;
    this.ahead = undefined;
    return ahead?.path === path ? ahead.answer : this.ask(path);
  }

  /** @param {DevicePage} answer @param {Device[]} before */
  take(answer, before) {
    const devices = answer.features.map(readDevice);
    keepPlaces(devices.map(({ position }) => position), answer.places ?? []);
    this.devices = [...before, ...devices];
    this.kinds = familiesOf(answer.kinds ?? [], familyOf);
    this.count = answer.numberMatched ?? this.devices.length;
    this.next = answer.links?.find((link) => link.rel === 'next')?.href ?? null;
    this.context.counted(this.count);
  }

  async draw() {
    this.drawTitle();
    if (!this.devices.length) {
      await this.drawEmpty();
      return;
    }
    const { choose, state } = this.context;
    const now = new Date();
    const row = (/** @type {Device} */ device) => (
      deviceRow(device, { here: this.origin, chosen: state().device, choose, streetOf: this.streetOf }));
    // Near a reader, a webcam that was last seen in 2011 is not the first answer.
    const old = this.origin ? this.devices.filter((device) => isOld(device, now)) : [];
    const others = this.devices.filter((device) => !old.includes(device));
    fill(this.body,
      this.origin && this.devices.length > 1
        && h('p', { class: 'list-order' }, translate(this.here ? 'list.order.here' : 'list.order.middle')),
      h('ul', { class: 'device-list' }, ...others.map(row)),
      old.length > 0 && h('h2', { class: 'list-old' }, oldTitle()),
      old.length > 0 && h('ul', { class: 'device-list' }, ...old.map(row)),
      this.next && h('button', { type: 'button', class: 'button more', onclick: () => this.more() },
        translate('list.more')),
      h('p', { class: 'list-end' }, translate('list.shown', {
        shown: String(this.devices.length), count: formatNumber(this.count ?? 0, language()),
      })),
      this.origin && h('p', { class: 'list-look' },
        h('a', { href: `/look?near=${this.origin.map((edge) => edge.toFixed(4)).join(',')}` },
          translate('list.look'))));
  }

  drawTitle() {
    fill(this.title, this.words);
  }

  /** The number of listed devices and their kinds. */
  get words() {
    const count = this.count ?? 0;
    if (this.context.state().spot) return plural('list.at_spot', count);
    return kindsTitle(count, this.kinds, listedPlace(this.context.state(), this.context.box()));
  }

  /** Announces the result to screen readers. */
  tell() {
    const place = this.context.state().spot ? null : this.context.nearestPlace();
    announce(place ? translate('list.near', { devices: this.words, place }) : this.words);
  }

  /**
   * Adds the streets to the rows.
   * @param {import('../map/named-streets.js').StreetOf} streetOf
   */
  showStreets(streetOf) {
    this.streetOf = streetOf;
    for (const row of this.body.querySelectorAll('.device-row')) {
      const device = this.devices.find(({ id }) => id === row.getAttribute('data-id'));
      const words = row.querySelector('.row-words');
      if (device && words) fillRow(words, device, this.origin, streetOf);
    }
  }

  /** Called after the map has loaded and can name the place in view. */
  placed() {
    if (!this.body.hasAttribute('aria-busy') && this.context.nearestPlace()) this.tell();
  }

  async more() {
    if (!this.next) return;
    const { turn } = this;
    const known = this.devices.length;
    const button = this.body.querySelector('.more');
    button?.setAttribute('aria-disabled', 'true');
    try {
      const next = new URL(this.next, location.href);
      const answer = await getJSON(next.pathname + next.search);
      if (turn !== this.turn) return;
      this.take(answer, this.devices);
      await this.draw();
      if (this.devices[known]) this.focus(this.devices[known].id);
    } catch (error) {
      if (turn !== this.turn) return;
      button?.removeAttribute('aria-disabled');
      if (!(error instanceof Outage)) this.drawTrouble(error);
    }
  }

  /** Shown for an empty list: the reason, and the nearest device. */
  async drawEmpty() {
    const { state, resetFilters, leaveSpot } = this.context;
    const filtered = filterCount(state()) > 0;
    const nearest = h('div', { class: 'nearest' });
    fill(this.body, h('div', { class: 'empty' },
      h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon(filtered ? 'filter' : 'pin')),
      h('p', { class: 'empty-title' }, translate(filtered ? 'empty.filtered' : 'empty.title')),
      h('p', {}, translate(filtered ? 'empty.filtered.why' : 'empty.invite')),
      filtered ? h('button', { type: 'button', class: 'button', onclick: resetFilters }, translate('filters.reset'))
        : h('button', { type: 'button', class: 'button primary', onclick: () => this.context.add() }, icon('plus'),
          translate('empty.add')),
      state().spot && h('button', { type: 'button', class: 'button', onclick: leaveSpot }, translate('spot.leave'))),
      nearest);
    const [longitude, latitude] = this.context.middle();
    const parameters = filterParameters(state());
    parameters.set('near', `${longitude.toFixed(4)},${latitude.toFixed(4)}`);
    parameters.set('sortby', 'distance');
    parameters.set('limit', '5');
    parameters.set('properties', MORE);
    addSupplements(parameters);
    const answer = await this.ask(`${ITEMS}?${parameters}`).catch(() => null);
    /** @type {Device[]} */
    const found = (answer?.features ?? []).map(readDevice);
    keepPlaces(found.map(({ position }) => position), answer?.places ?? []);
    if (!found.length || !nearest.isConnected) return;
    const row = (/** @type {Device} */ device) => deviceRow(device, {
      here: [longitude, latitude], chosen: state().device, choose: () => this.context.go(device),
    });
    fill(nearest, h('h2', {}, translate('empty.nearest')), h('ul', { class: 'device-list' }, ...found.map(row)));
  }

  /** @param {unknown} error */
  drawTrouble(error) {
    if (error instanceof Outage) {
      if (!this.devices.length) {
        this.title.textContent = translate('list.waiting');
        fill(this.body, h('ul', { class: 'device-list' }, ...skeletonRows(4)));
      }
      return;
    }
    this.title.textContent = translate('list.trouble');
    fill(this.body, h('div', { class: 'empty' },
      h('p', {}, error instanceof Error ? error.message : translate('error.unexpected')),
      h('button', { type: 'button', class: 'button', onclick: () => this.refresh(true) }, translate('outage.retry')),
      filterCount(this.context.state()) > 0
        && h('button', { type: 'button', class: 'button', onclick: this.context.resetFilters },
          translate('filters.reset'))));
  }

  /**
   * Moves the focus to the row of a device, or to the title if the device is not in the list.
   * @param {string} id
   */
  focus(id) {
    const rows = [...this.body.querySelectorAll('.device-row')];
    const row = rows.find((candidate) => candidate.getAttribute('data-id') === id) ?? this.title;
    if (row instanceof HTMLElement) row.focus();
  }

  /**
   * Marks the selected device in the list.
   * @param {string | null} id
   */
  mark(id) {
    for (const row of this.body.querySelectorAll('.device-row')) {
      if (row.getAttribute('data-id') === id) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }
}
