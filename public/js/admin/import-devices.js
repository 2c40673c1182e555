// @ts-check
// The devices of one import: on a small map, and in a list that says the same.

import { getJSON } from '../api.js';
import { localName } from '../devices/late-name.js';
import { fill, h } from '../dom.js';
import { formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { PointsMap } from '../mapping/points-map.js';
import { announce } from '../page/notices.js';
import { trouble } from '../page/trouble.js';
import { label, scheme } from '../taxonomies.js';

/**
 * @typedef {object} Device
 * @property {string} id @property {string} name @property {string} category @property {string} status
 * @property {number} longitude @property {number} latitude
 * @property {boolean} added false: changed by the import
 * @property {boolean} flagged
 * @property {boolean} edited people have changed it since
 */
/**
 * @typedef {object} OnMap
 * @property {number} shown devices on the map @property {number} hidden no longer on the map
 * @property {number} edited changed by people since
 * @property {number} withdrawable leave the map when the import is undone
 * @property {number} flagged on the map, with a note of the import
 * @property {Device[]} devices some of those on the map, spread over the list, and the flagged ones
 */

const COLUMNS = ['name', 'category', 'change'];

export class ImportDevices {
  /**
   * @param {OnMap} onMap @param {string} path
   * @param {number} unchanged devices that were on the map before with the same values
   */
  constructor(onMap, path, unchanged) {
    this.onMap = onMap;
    this.path = path;
    this.map = new PointsMap({
      label: translate('admin.import.map'), choose: (index) => this.choose(onMap.devices[index]),
    });
    this.chosen = h('p', { class: 'import-chosen', role: 'status' });
    this.rows = h('tbody', {});
    this.foot = h('div', { class: 'decision-acts' });
    this.fault = h('p', { class: 'field-fault', role: 'alert' });
    this.list = h('details', {
      ontoggle: () => { if (!this.rows.childElementCount) this.ask(null); },
    }, h('summary', {}, translate('admin.import.devices.list')), this.fault, table(this.rows), this.foot);
    this.element = onMap.shown
      ? h('div', { class: 'import-devices' }, ...this.words(), this.map.element, this.chosen, this.list)
      : h('p', {}, unchanged ? plural('admin.import.devices.unchanged', unchanged)
        : translate('admin.import.devices.none'));
  }

  words() {
    const { shown, flagged, devices } = this.onMap;
    const count = (/** @type {number} */ number) => formatNumber(number, language());
    return [
      devices.length < shown && h('p', { class: 'section-note' },
        translate('admin.import.devices.some', { drawn: count(devices.length), shown: count(shown) })),
      flagged > 0 && h('p', { class: 'import-key' }, h('span', { class: 'import-mark', 'aria-hidden': 'true' }),
        translate('admin.import.devices.flagged', { count: count(flagged) })),
    ];
  }

  /** Draws the map. The element must be on the page. */
  start() {
    const { devices } = this.onMap;
    this.map.show(
      devices.map(({ longitude, latitude }) => [longitude, latitude]),
      new Set(devices.flatMap(({ flagged }, index) => (flagged ? [index] : []))));
  }

  /** Frees the memory of the map. */
  end() { this.map.end(); }

  /** @param {Device} device */
  async choose(device) {
    await scheme('categories').catch(() => null);
    fill(this.chosen, link(device), ` · ${[label('categories', device.category), ...changes(device)].join(' · ')}`);
  }

  /** @param {string | null} cursor null: from the beginning */
  async ask(cursor) {
    this.fault.textContent = '';
    try {
      const [{ devices, next }] = await Promise.all([
        getJSON(`${this.path}/devices${cursor ? `?${new URLSearchParams({ cursor })}` : ''}`),
        scheme('categories').catch(() => null),
      ]);
      this.show(devices, next);
    } catch (error) {
      this.fault.textContent = trouble(error);
    }
  }

  /** @param {Device[]} devices @param {string | null} next */
  show(devices, next) {
    const hadFocus = this.foot.contains(document.activeElement);
    const isFirst = !this.rows.childElementCount;
    const rows = devices.map(row);
    this.rows.append(...rows);
    const words = translate('admin.import.rows.shown', {
      shown: formatNumber(this.rows.childElementCount, language()),
      total: formatNumber(this.onMap.shown, language()),
    });
    fill(this.foot, h('span', { class: 'section-note' }, words), next && h('button', {
      type: 'button', class: 'button', onclick: () => this.ask(next),
    }, translate('list.more')));
    if (!isFirst) announce(words);
    if (hadFocus) (this.foot.querySelector('button') ?? rows[0]?.querySelector('a'))?.focus();
  }
}

/** @param {HTMLElement} rows */
function table(rows) {
  return h('table', { class: 'is-stacked import-list' },
    h('caption', { class: 'visually-hidden' }, translate('admin.import.devices.list')),
    h('thead', {}, h('tr', {}, ...COLUMNS.map((name) => (
      h('th', { scope: 'col' }, translate(`admin.import.devices.${name}`)))))), rows);
}

/** @param {Device} device */
function row(device) {
  const cell = (/** @type {string} */ name, /** @type {string} */ words) => (
    h('td', { 'data-title': translate(`admin.import.devices.${name}`) }, h('div', {}, words)));
  return h('tr', {}, h('th', { scope: 'row' }, link(device)),
    cell('category', label('categories', device.category)), cell('change', changes(device).join(' · ')));
}

/** @param {Device} device */
function link(device) {
  return h('a', { href: `/devices/${device.id}` }, localName(device));
}

/** @param {Device} device */
function changes({ added, flagged, edited }) {
  return [
    translate(added ? 'admin.import.devices.added' : 'admin.import.devices.changed'),
    flagged && translate('admin.import.devices.marked'), edited && translate('admin.import.devices.edited'),
  ].filter((words) => words !== false);
}
