// @ts-check
// The moderation queue: a list of items, and the details of the selected item.

import { connection, isAbort, latestOnly } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatNumber, locale } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { untilAnswered } from '../page/start.js';
import { trouble } from '../page/trouble.js';
import { item } from '../storage/kept.js';
import { Decision } from './decision.js';
import { detail, title } from './detail.js';
import { age } from './words.js';

/** @typedef {import('./words.js').QueueItem} QueueItem */

const KINDS = ['flag', 'report', 'contribution', 'photo', 'verdict'];
const PAGE = 50;
const SHORTCUTS = 'farol.shortcuts';
const SYMBOLS = { flag: 'warning', report: 'question', contribution: 'plus', photo: 'pin', verdict: 'check' };

export class Queue {
  /** @param {HTMLElement} place */
  constructor(place) {
    /** @type {QueueItem[]} */
    this.items = [];
    /** @type {string | null} */
    this.next = null;
    this.kind = new URLSearchParams(location.search).get('kind') ?? '';
    /** @type {QueueItem | null} */
    this.chosen = null;
    /** @type {Decision | null} */
    this.decision = null;
    this.latest = latestOnly();
    this.filters = h('div', { class: 'chips', role: 'group', 'aria-label': translate('order.kinds') });
    this.list = h('ul', { class: 'queue-list' });
    this.panel = h('div', { class: 'queue-panel' });
    this.summary = h('p', { class: 'section-note', role: 'status' });
    fill(place, h('div', { class: 'queue' },
      h('div', { class: 'queue-side' }, this.filters, this.summary, this.list, this.switch()), this.panel));
    document.addEventListener('keydown', (event) => this.press(event));
    document.addEventListener('farol-undone', () => this.load());
    connection.onRecovery(() => this.load());
    this.load();
  }

  /** Single-key shortcuts can be turned off (WCAG 2.1.4). */
  switch() {
    return h('label', { class: 'check' }, h('input', {
      type: 'checkbox', checked: keysAreOn(),
      onchange: (/** @type {Event} */ event) => keepKeys(/** @type {HTMLInputElement} */ (event.target).checked),
    }), h('span', {}, translate('order.shortcuts')),
    h('span', { class: 'section-note' }, translate('order.shortcuts.which')));
  }

  async load() {
    try {
      const query = new URLSearchParams({ limit: String(PAGE), ...(this.kind ? { kind: this.kind } : {}) });
      const answer = await this.latest(`/api/moderation/queue?${query}`);
      this.items = answer.items;
      this.next = answer.next ?? null;
      this.drawFilters(answer.counts ?? {});
      this.draw();
      const still = this.items.find((item) => item.id === this.chosen?.id);
      if (!still) this.choose(isWide() ? this.items[0] ?? null : null, false);
    } catch (error) {
      if (!isAbort(error)) this.summary.textContent = trouble(error);
    }
  }

  async more() {
    const query = new URLSearchParams({
      limit: String(PAGE), cursor: this.next ?? '', ...(this.kind ? { kind: this.kind } : {}),
    });
    const answer = await untilAnswered(`/api/moderation/queue?${query}`);
    this.items.push(...answer.items);
    this.next = answer.next ?? null;
    this.draw();
  }

  /** @param {Record<string, number>} counts */
  drawFilters(counts) {
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    fill(this.filters,
      ...[['', all], ...KINDS.map((kind) => [kind, counts[kind] ?? 0])].map(([kind, count]) => h('button', {
        type: 'button', class: `chip ${this.kind === kind ? 'is-on' : ''}`, 'aria-pressed': String(this.kind === kind),
        onclick: () => {
          this.kind = String(kind);
          this.chosen = null;
          this.load();
        },
      }, translate(kind ? `order.kinds.${kind}` : 'order.kinds.all'), ` ${formatNumber(Number(count), language())}`)));
    this.summary.textContent = all ? plural('order.waiting', all) : '';
  }

  draw() {
    if (!this.items.length) {
      fill(this.list,
        h('li', { class: 'queue-empty' }, h('span', { class: 'empty-mark' }, icon('check')),
          h('p', {}, translate('order.empty')), h('p', { class: 'section-note' }, translate('order.empty.more'))));
      fill(this.panel);
      return;
    }
    fill(this.list, ...this.items.map((item) => this.row(item)),
      this.next
        ? h('li', {},
          h('button', { type: 'button', class: 'button', onclick: () => this.more() }, translate('order.more')))
        : null);
  }

  /** @param {QueueItem} item */
  row(item) {
    const [count, unit] = age(item.opened_at, Date.now());
    const waited = new Intl.RelativeTimeFormat(locale(language()), { numeric: 'auto' }).format(count, unit);
    const reason = item.reasons?.[0]?.reason;
    return h('li', {}, h('button', {
      type: 'button', class: 'queue-row', 'data-id': item.id,
      'aria-current': this.chosen?.id === item.id ? 'true' : null,
      onclick: () => this.choose(item, true),
    }, icon(SYMBOLS[item.kind] ?? 'warning'), h('span', { class: 'queue-words' },
      h('strong', {}, title(item)),
      h('span', { class: item.severity === 'high' ? 'section-note is-urgent' : 'section-note' },
        [reason ? translate(`flag.reason.${reason}`) : translate(`order.kind.${item.kind}`), waited].join(' · '))),
    item.count > 1
      && h('span', { class: 'count', 'aria-label': plural('order.times', item.count) }, String(item.count))));
  }

  /** @param {QueueItem | null} item @param {boolean} focus */
  choose(item, focus) {
    this.chosen = item;
    for (const row of this.list.querySelectorAll('.queue-row')) {
      if (row.getAttribute('data-id') === item?.id) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
    this.panel.parentElement?.classList.toggle('has-item', item !== null);
    if (!item) {
      this.decision = null;
      fill(this.panel);
      return;
    }
    this.decision = new Decision(item, (done, words) => this.decided(done, words),
      (old, words, reason) => this.renew(old, words, reason));
    fill(this.panel,
      h('button', { type: 'button', class: 'button queue-back', onclick: () => this.back() }, icon('back'),
        translate('order.back')),
      h('div', { class: 'queue-item' }, detail(item), this.decision.element));
    this.panel.scrollTop = 0;
    if (focus) this.panel.querySelector('h2')?.focus();
  }

  back() {
    const id = this.chosen?.id;
    this.choose(null, false);
    const row = this.list.querySelector(`[data-id="${CSS.escape(id ?? '')}"]`);
    if (row instanceof HTMLElement) row.focus();
  }

  /**
   * Shows the current state of an item and keeps the typed text.
   * @param {QueueItem} old @param {string} words @param {string} reason
   */
  async renew(old, words, reason) {
    await this.load();
    const item = this.items.find(({ id }) => id === old.id) ?? null;
    this.choose(item, true);
    announce(words);
    if (!this.decision) return;
    this.decision.reason.value = reason;
    this.decision.say(words);
  }

  /**
   * Shows the next item after a decision.
   * @param {QueueItem} item @param {string} words
   */
  decided(item, words) {
    const at = this.items.indexOf(item);
    this.items = this.items.filter((one) => one !== item);
    this.draw();
    announce(words);
    this.choose(this.items[Math.min(at, this.items.length - 1)] ?? null, true);
    this.load();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!keysAreOn() || event.ctrlKey || event.metaKey || event.altKey
      || target.closest('input, textarea, select, [contenteditable], .menu, dialog')) return;
    const key = event.key.toLowerCase();
    const at = this.items.findIndex((item) => item.id === this.chosen?.id);
    if (key === 'j' || key === 'k') {
      this.choose(this.items[Math.max(0, at + (key === 'j' ? 1 : -1))] ?? this.chosen, true);
    } else if (key === 'c') document.getElementById('reason')?.focus();
    else if (!this.decision?.press(key)) return;
    event.preventDefault();
  }
}

function isWide() { return matchMedia('(min-width: 900px)').matches; }

function keysAreOn() {
  try {
    return item(SHORTCUTS).get() !== 'off';
  } catch {
    return true;
  }
}

/** @param {boolean} isOn */
function keepKeys(isOn) {
  try {
    item(SHORTCUTS).set(isOn ? 'on' : 'off');
  } catch {
    // Storage is not available: the shortcuts stay on.
  }
}
