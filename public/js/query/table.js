// @ts-check
// The devices of a query as a table, page by page, with the columns that the reader chooses.

import { connection, getJSON, isAbort, Outage, Refusal } from '../api.js';
import { readDevice } from '../devices/device.js';
import { displayName, prepareName } from '../devices/name.js';
import { isWritten, valueWords } from '../devices/value-words.js';
import { ITEMS } from '../devices/list-request.js';
import { fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { COLUMNS } from './columns.js';
import { nameOf } from './properties.js';

/** @typedef {import('../types').DeviceFeature} DeviceFeature */

const PAGE = 50;
export class Table {
  /**
   * @param {() => {parameters: URLSearchParams, columns: readonly string[]}} asked
   * @param {(columns: string[]) => void} chosen
   */
  constructor(asked, chosen) {
    this.asked = asked;
    this.chosen = chosen;
    /** @type {DeviceFeature[]} */
    this.features = [];
    /** @type {string | null} the address of the next page */
    this.next = null;
    this.state = h('div', { class: 'query-state' });
    this.place = h('div',
      { class: 'query-table', tabindex: '0', role: 'region', 'aria-label': translate('query.table') });
    this.more = h('button', { type: 'button', class: 'button', onclick: () => this.load(this.next) },
      translate('query.more'));
    this.columns = h('details', { class: 'query-columns' });
    this.element = h('div', { class: 'query-result' }, this.columns, this.state, this.place, this.more);
    this.drawColumns();
  }

  /** Reads the first page. */
  async refresh() {
    const { parameters } = this.asked();
    parameters.set('limit', String(PAGE));
    parameters.set('properties', '*');
    await this.load(`${ITEMS}?${parameters}`, true);
  }

  /** @param {string | null} address @param {boolean} [isFirst] */
  async load(address, isFirst = false) {
    if (!address) return;
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    this.element.setAttribute('aria-busy', 'true');
    try {
      const page = await getJSON(address, { signal: asking.signal });
      await Promise.all(page.features.map((/** @type {DeviceFeature} */ one) => prepareName(readDevice(one))));
      if (asking.signal.aborted) return;
      const row = isFirst ? 0 : this.features.length;
      this.features = isFirst ? page.features : [...this.features, ...page.features];
      const next = page.links.find((/** @type {{rel: string}} */ link) => link.rel === 'next')?.href;
      this.next = next ? pathOf(next) : null;
      fill(this.state);
      this.draw();
      // The button goes away or moves: the reader goes on with the first new row.
      if (!isFirst) /** @type {HTMLElement | undefined} */ (this.place.querySelectorAll('tbody a')[row])?.focus();
    } catch (error) {
      if (!isAbort(error)) this.fail(error, () => this.load(address, isFirst));
    } finally {
      if (this.asking === asking) this.element.removeAttribute('aria-busy');
    }
  }

  /** @param {unknown} error @param {() => void} again */
  fail(error, again) {
    if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error;
    fill(this.state, h('p', { role: 'alert' }, error instanceof Refusal ? error.message : translate('outage')));
    if (error instanceof Outage) connection.recovered().then(() => { if (this.element.isConnected) again(); });
  }

  draw() {
    const { columns } = this.asked();
    this.place.hidden = !this.features.length;
    this.more.hidden = !this.next;
    fill(this.place, h('table', {},
      h('caption', { class: 'visually-hidden' }, translate('query.table')),
      h('thead', {}, h('tr', {}, ...['name', ...columns].map((name) => h('th', { scope: 'col' }, nameOf(name))))),
      h('tbody', {}, ...this.features.map((feature) => row(feature, columns)))));
  }

  drawColumns() {
    const { columns } = this.asked();
    fill(this.columns, h('summary', {}, icon('list'), translate('query.columns')),
      h('div', { class: 'query-column-list' }, ...COLUMNS.map((name) => h('label', { class: 'query-column' },
        h('input', {
          type: 'checkbox', checked: columns.includes(name), onchange: (/** @type {Event} */ event) => {
            const isOn = /** @type {HTMLInputElement} */ (event.target).checked;
            const now = this.asked().columns;
            this.chosen(COLUMNS.filter((one) => (one === name ? isOn : now.includes(one))));
            this.draw();
          },
        }), nameOf(name)))));
  }
}

/** @param {DeviceFeature} feature @param {readonly string[]} columns */
function row(feature, columns) {
  const device = readDevice(feature);
  const link = h('a', { class: 'said', href: `/devices/${feature.id}`, dir: 'auto' }, displayName(device));
  return h('tr', {}, h('th', { scope: 'row' }, link),
    ...columns.map((name) => {
      const words = valueWords(name, /** @type {Record<string, unknown>} */ (feature.properties)[name]);
      const shown = words && isWritten(name) ? h('span', { class: 'said', dir: 'auto' }, words) : words;
      return h('td', {}, shown ?? h('span', { class: 'query-unknown' },
        h('span', { 'aria-hidden': 'true' }, '–'), h('span', { class: 'visually-hidden' }, translate('unknown'))));
    }));
}

/** @param {string} address of this server, which may know itself by another name */
function pathOf(address) {
  const { pathname, search } = new URL(address, location.origin);
  return pathname + search;
}
