// @ts-check
// Download dialog: selection of devices, file format, and progress of the download.

import { connection, getJSON, getStream, isAbort, Outage, Refusal } from '../api.js';
import { openDialog } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { newId } from '../fields/field.js';
import { formatNumber } from '../format.js';
import { download } from '../forms/copy.js';
import { steadily } from '../forms/steadily.js';
import { language, plural, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { exportAddress, FORMATS, formatEnding, formatKey } from './formats.js';
import { deviceCounter } from './progress.js';

/**
 * @typedef {{filters: URLSearchParams, box: string | null}} Wanted `box`: bounding box of the map view,
 *   «west,south,east,north»
 */

/**
 * Above this number of devices the browser downloads the file itself, because a page would hold all
 * of it in memory.
 */
const MOST_IN_PAGE = 300_000;

/** @param {Wanted} wanted */
export function openTake({ filters, box }) {
  const choice = { area: box ? 'view' : 'all', format: 'csv' };
  /** @type {Record<string, number | null>} */
  const counts = { view: null, all: null };
  const count = h('p', { class: 'take-count', role: 'status' }, translate('take.counting'));
  const state = h('div', { class: 'take-state' });
  const address = h('a', { class: 'take-address' }, translate('take.address'));
  const go = h('button', { type: 'button', class: 'button primary', onclick: take }, icon('download'),
    translate('take.go'));
  /** @type {AbortController | null} */
  let stop = null;
  let isWaiting = false;

  const areas = box
    ? radios('take.area', ['view', 'all'], choice.area,
      (area) => ({ name: translate(`take.area.${area}`) }), (area) => {
        choice.area = area;
        draw();
      }) : null;
  const formats = radios('take.format', FORMATS, choice.format, (format) => ({
    name: translate(`take.format.${formatKey(format)}`), note: translate(`take.format.${formatKey(format)}.what`),
  }), (format) => {
    choice.format = format;
    draw();
  });
  const filtered = [...filters.keys()].length > 0;
  const { element } = openDialog({
    title: translate('take.title'), look: 'take',
    body: [
      h('p', {}, translate(filtered ? 'take.lead.filtered' : 'take.lead')),
      areas, count, formats,
      h('p', { class: 'field-note' }, `${translate('take.licence')} `,
        h('a', { href: '/about#data' }, translate('take.licence.more'))),
      state,
    ],
    foot: [go, address],
    closed: () => stop?.abort(),
  });
  draw();

  function where() { return exportAddress(choice.format, filters, choice.area === 'view' ? box : null); }

  function draw() {
    address.setAttribute('href', where());
    const known = counts[choice.area];
    count.textContent = known === null ? translate('take.counting') : plural('take.count', known);
    if (known === null) countDevices(choice.area);
  }

  /** @param {string} area */
  async function countDevices(area) {
    const query = new URLSearchParams(filters);
    query.set('limit', '1');
    if (area === 'view' && box) query.set('bbox', box);
    try {
      counts[area] = (await getJSON(`/api/collections/devices/items?${query}`)).numberMatched;
      if (area === choice.area && element.isConnected) draw();
    } catch (error) {
      count.textContent = error instanceof Refusal ? error.message : translate('outage');
      if (error instanceof Outage && connection.reach !== 'fine') {
        connection.recovered().then(() => { if (element.isConnected) countDevices(area); });
      }
    }
  }

  async function take() {
    if (stop) {
      stop.abort();
      if (isWaiting) end(translate('take.stopped'));
      return;
    }
    const known = counts[choice.area] ?? 0;
    if (known > MOST_IN_PAGE) {
      h('a', { href: where(), download: '' }).click();
      tell(translate('take.by_browser'));
      return;
    }
    const { format } = choice;
    const mine = new AbortController();
    stop = mine;
    fill(go, icon('close'), translate('take.stop'));
    const bar = /** @type {HTMLProgressElement} */ (h('progress', {
      class: 'take-bar', 'aria-label': translate('take.progress'),
    }));
    const words = h('p', {}, translate('take.begins'));
    announce(translate('take.begins'));
    try {
      await steadily({
        say: (said) => {
          isWaiting = said !== null && connection.reach !== 'fine';
          if (said) tell(h('p', {}, ...said).textContent ?? '');
          else fill(state, bar, words);
        },
        isWanted: () => stop === mine && element.isConnected,
      }, async () => {
        const { blob, name } = await getStream(where(), {
          signal: mine.signal, started: (headers) => follow(headers, format, bar, words),
        }).catch((error) => {
          const isBroken = error instanceof Outage && !error.message && connection.reach === 'fine';
          throw isBroken ? new Outage(translate('take.broken')) : error;
        });
        download(blob, name ?? `devices.${format}`);
        bar.max = 1;
        bar.value = 1;
        tell(plural('take.done', Number(bar.dataset.total ?? known), { name: name ?? '' }), bar);
      });
    } catch (error) {
      if (!isAbort(error)) throw error;
      tell(translate('take.stopped'));
    } finally {
      if (stop === mine) end();
    }
  }

  /**
   * Resets the button.
   * @param {string} [words] result message
   */
  function end(words) {
    stop = null;
    isWaiting = false;
    fill(go, icon('download'), translate('take.go'));
    if (words) tell(words);
  }

  /** @param {string} words @param {Node | null} [before] */
  function tell(words, before = null) {
    fill(state, before, h('p', {}, words));
    announce(words);
  }
}

/**
 * Shows the progress of a download, from its headers and its pieces.
 * @param {Headers} headers
 * @param {string} format
 * @param {HTMLProgressElement} bar
 * @param {HTMLElement} words
 * @returns {(piece: Uint8Array) => void}
 */
function follow(headers, format, bar, words) {
  const total = Number(headers.get('OGC-NumberMatched'));
  const length = Number(headers.get('Content-Length'));
  const count = deviceCounter(formatEnding(format), total);
  bar.dataset.total = String(total);
  let bytes = 0;
  let drawn = 0;
  return (piece) => {
    bytes += piece.length;
    const devices = count?.(piece);
    const share = devices !== undefined && total ? devices / total : length ? bytes / length : null;
    // Drawing each piece would take longer than downloading it.
    if (performance.now() - drawn < 100 || share === null) return;
    drawn = performance.now();
    bar.max = 1;
    bar.value = share;
    words.textContent = translate('take.so_far', {
      count: formatNumber(devices ?? Math.round(share * total), language()), total: formatNumber(total, language()),
    });
  };
}

/**
 * A group of radio buttons.
 * @param {string} key prefix of the translation keys
 * @param {readonly string[]} values
 * @param {string} chosen
 * @param {(value: string) => {name: string, note?: string}} words
 * @param {(value: string) => void} choose
 */
function radios(key, values, chosen, words, choose) {
  const name = newId();
  return h('fieldset', { class: 'reasons' },
    h('legend', {}, translate(key)),
    ...values.map((value) => {
      const { name: title, note } = words(value);
      return h('label', { class: 'reason' },
        h('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => choose(value) }),
        h('span', {}, h('strong', {}, title), note && h('small', {}, note)));
    }));
}
