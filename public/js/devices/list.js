// @ts-check
// The list beside the map: the same devices, in the same place, under the same filters.

import { connection, getJSON, isAbort, latestOnly, Outage } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { boxText } from '../geography.js';
import { language, plural, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { filterCount, filterParameters } from '../state.js';
import { readDevice } from './device.js';
import { deviceRow, skeletonRows } from './row.js';

/** @typedef {import('../geography.js').Box} Box */
/** @typedef {import('../geography.js').Position} Position */
/** @typedef {import('../state.js').PageState} PageState */
/** @typedef {import('./device.js').Device} Device */

const ITEMS = '/api/collections/devices/items';
const PAGE = 20;

/**
 * @typedef {object} ListContext
 * @property {() => PageState} state
 * @property {() => Box} box what the map shows
 * @property {() => Position} middle
 * @property {() => string | null} nearestPlace
 * @property {(device: Device) => void} choose
 * @property {() => void} resetFilters
 * @property {() => void} leaveSpot
 * @property {(device: Device) => void} go to a device out of view
 * @property {(count: number | null) => void} counted
 * @property {() => void} add the first device here
 * @property {{path: string, answer: Promise<any>}} [ahead] a question that was asked before there was a list
 */

/**
 * The address of a list.
 * @param {PageState} state @param {Box} box what the map shows @param {Position | null} [here] from where the nearest come first
 */
export function listPath(state, box, here = null) {
  const parameters = filterParameters(state);
  parameters.set('bbox', state.spot ?? boxText(box));
  parameters.set('limit', String(PAGE));
  if (here) {
    parameters.set('near', here.map((edge) => edge.toFixed(5)).join(','));
    parameters.set('sortby', 'distance');
  }
  return `${ITEMS}?${parameters}`;
}

export class DeviceList {
  /** @param {HTMLElement} title @param {HTMLElement} body @param {ListContext} context */
  constructor(title, body, context) {
    this.title = title;
    this.body = body;
    this.context = context;
    this.ask = latestOnly();
    /** @type {Position | null} */
    this.here = null;
    /** @type {Device[]} */
    this.devices = [];
    /** @type {number | null} */
    this.count = null;
    /** @type {string | null} */
    this.next = null;
    this.asked = '';
    /** Counts the questions: only the answer to the last one is shown. */
    this.turn = 0;
    this.failed = false;
    this.ahead = context.ahead;
    fill(body, h('ul', { class: 'device-list' }, ...skeletonRows(6)));
    title.textContent = translate('list.loading');
    connection.onRecovery(() => this.refresh(true));
  }

  /**
   * Nearest first from now on.
   * @param {Position} position
   */
  sortFrom(position) {
    this.here = position;
    this.refresh();
  }

  /** @param {boolean} [again] also if nothing changed */
  async refresh(again = false) {
    const path = listPath(this.context.state(), this.context.box(), this.here);
    if (path === this.asked && !again && !this.failed) return;
    this.asked = path;
    this.turn += 1;
    const { turn } = this;
    this.body.setAttribute('aria-busy', 'true');
    try {
      const answer = await this.answer(path);
      if (turn !== this.turn) return;
      this.failed = false;
      this.take(answer, []);
      await this.draw();
      if (turn !== this.turn) return; // a later question is on its way, and is still waited for
      this.tell();
    } catch (error) {
      if (isAbort(error) || turn !== this.turn) return;
      this.failed = true;
      this.drawTrouble(error);
    }
    this.body.removeAttribute('aria-busy');
  }

  /**
   * What was asked ahead is good for the first question only.
   * @param {string} path
   */
  answer(path) {
    const { ahead } = this;
    this.ahead = undefined;
    return ahead?.path === path ? ahead.answer : this.ask(path);
  }

  /** @param {any} answer @param {Device[]} before */
  take(answer, before) {
    this.devices = [...before, ...answer.features.map(readDevice)];
    this.count = answer.numberMatched ?? this.devices.length;
    this.next = answer.links?.find((/** @type {any} */ link) => link.rel === 'next')?.href ?? null;
    this.context.counted(this.count);
  }

  async draw() {
    this.drawTitle();
    if (!this.devices.length) {
      await this.drawEmpty();
      return;
    }
    const { choose, state } = this.context;
    const rows = this.devices.map((device) => deviceRow(device, { here: this.here, chosen: state().device, choose }));
    fill(this.body,
      h('ul', { class: 'device-list' }, ...rows),
      this.next && h('button', { type: 'button', class: 'button more', onclick: () => this.more() }, translate('list.more')),
      h('p', { class: 'list-end' }, translate('list.shown', {
        shown: String(this.devices.length), count: formatNumber(this.count ?? 0, language()),
      })));
  }

  drawTitle() {
    const { state } = this.context;
    const key = state().spot ? 'list.at_spot' : 'list.in_view';
    fill(this.title, plural(key, this.count ?? 0));
  }

  /** Says what the list says to those who cannot see the map. */
  tell() {
    const place = this.context.state().spot ? null : this.context.nearestPlace();
    const words = plural(this.context.state().spot ? 'list.at_spot' : 'list.in_view', this.count ?? 0);
    announce(place ? translate('list.near', { devices: words, place }) : words);
  }

  /** The map has come since, and knows where this is. */
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
      const first = this.body.querySelectorAll('.device-row')[known];
      if (first instanceof HTMLElement) first.focus();
    } catch (error) {
      if (turn !== this.turn) return;
      button?.removeAttribute('aria-disabled');
      if (!(error instanceof Outage)) this.drawTrouble(error);
    }
  }

  /** Nobody here: why, and where the nearest is. */
  async drawEmpty() {
    const { state, resetFilters, leaveSpot } = this.context;
    const filtered = filterCount(state()) > 0;
    const nearest = h('div', { class: 'nearest' });
    fill(this.body, h('div', { class: 'empty' },
      h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon(filtered ? 'filter' : 'pin')),
      h('p', { class: 'empty-title' }, translate(filtered ? 'empty.filtered' : 'empty.title')),
      h('p', {}, translate(filtered ? 'empty.filtered.why' : 'empty.invite')),
      filtered ? h('button', { type: 'button', class: 'button', onclick: resetFilters }, translate('filters.reset'))
        : h('button', { type: 'button', class: 'button primary', onclick: () => this.context.add() }, icon('plus'), translate('empty.add')),
      state().spot && h('button', { type: 'button', class: 'button', onclick: leaveSpot }, translate('spot.leave'))), nearest);
    const [longitude, latitude] = this.context.middle();
    const parameters = filterParameters(state());
    parameters.set('near', `${longitude.toFixed(4)},${latitude.toFixed(4)}`);
    parameters.set('sortby', 'distance');
    parameters.set('limit', '5');
    const answer = await this.ask(`${ITEMS}?${parameters}`).catch(() => null);
    /** @type {Device[]} */
    const found = (answer?.features ?? []).map(readDevice);
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
        && h('button', { type: 'button', class: 'button', onclick: this.context.resetFilters }, translate('filters.reset'))));
  }

  /**
   * Puts the reader on the row of a device, or on the title if it is not in the list.
   * @param {string} id
   */
  focus(id) {
    const rows = [...this.body.querySelectorAll('.device-row')];
    const row = rows.find((candidate) => candidate.getAttribute('data-id') === id) ?? this.title;
    if (row instanceof HTMLElement) row.focus();
  }

  /**
   * Marks the chosen device in the list.
   * @param {string | null} id
   */
  mark(id) {
    for (const row of this.body.querySelectorAll('.device-row')) {
      if (row.getAttribute('data-id') === id) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }
}
