// @ts-check
// The records that another user allows the reader to see: one page at a time, or all as a download.

import { getJSON } from '../api.js';
import { lateName } from '../devices/late-name.js';
import { h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { download } from '../forms/copy.js';
import { saidIn, steadily, whileBusy } from '../forms/steadily.js';
import { language, plural, translate } from '../i18n.js';
import { todayHere } from '../ledger/deadline.js';
import { readRecords } from './requests.js';
import { dayWords } from './words.js';

/** @typedef {import('./requests.js').DataRequest} DataRequest */
/** @typedef {import('../types').Page<'records', unknown> & {since?: string | null}} Page */

const MOST_PAGES = 1_000;

/** @param {DataRequest} request */
export function recordsPart(request) {
  const list = h('ul', { class: 'records' });
  const said = h('p', { class: 'section-note', role: 'status' });
  /** @type {string | null} */
  let next = null;
  let count = 0;
  const moreWords = h('span');
  const more = h('button', { type: 'button', class: 'button', onclick: () => busy(more, show) }, icon('down'),
    moreWords);
  more.hidden = true;
  const show = async () => {
    const page = await answer(request, next);
    const records = readRecords(page);
    count += records.length;
    list.append(...records.map(item));
    // With a subscription, the next request continues after the last page and finds records added later.
    next = page.next ?? (request.granted?.isSubscribed ? page.since : null) ?? null;
    more.hidden = next === null;
    moreWords.textContent = translate(page.next ? 'requests.records.more' : 'requests.records.new');
    open.hidden = true;
    said.textContent = plural('requests.records.shown', count);
  };
  const save = async () => {
    const pages = [];
    /** @type {string | null} */
    let cursor = null;
    do {
      /** @type {Page} */
      const page = await answer(request, cursor);
      pages.push(page);
      cursor = page.next ?? null;
    } while (cursor && pages.length < MOST_PAGES);
    const records = pages.flatMap((page) => page.records ?? []);
    const whose = request.to?.username ?? request.to?.organisation ?? null;
    download(new Blob([JSON.stringify({ format: 'farol-records', version: 1, person: whose, records }, null, 2)],
      { type: 'application/json' }), `farol-${whose ?? 'records'}-${todayHere()}.json`);
    said.textContent = translate('requests.records.saved', { count: formatNumber(records.length, language()) });
  };
  const busy = async (/** @type {HTMLElement} */ button, /** @type {() => Promise<void>} */ act) => {
    if (button.getAttribute('aria-disabled')) return;
    await whileBusy([button], () => steadily(saidIn(said), act));
  };
  const open = h('button', { type: 'button', class: 'button primary', onclick: () => busy(open, show) }, icon('eye'),
    translate('requests.records.show'));
  const take = h('button', { type: 'button', class: 'button', onclick: () => busy(take, save) }, icon('download'),
    translate('requests.records.save'));
  return h('div', { class: 'stack' },
    h('p', { class: 'section-note' }, translate('requests.records.noted')),
    h('div', { class: 'form-acts' }, open, take), said, list, more);
}

/** @param {DataRequest} request @param {string | null} cursor */
function answer({ id }, cursor) {
  return getJSON(
    `/api/data-requests/${encodeURIComponent(id)}/records?limit=100${
      cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
  );
}

/** @param {import('./requests.js').DataRecord} record */
function item({ field, verdict, at, device, words }) {
  return h('li', {},
    h('p', { class: 'said' },
      device
        ? h('a', { href: `/devices/${encodeURIComponent(device.id)}` }, lateName(device))
        : translate('unknown')),
    h('p', { class: 'section-note' },
      [translate(`requests.record.${field}${verdict ? `.${verdict}` : ''}`), dayWords(at)].filter(Boolean).join(' · ')),
    words && h('p', { class: 'said' }, words));
}
