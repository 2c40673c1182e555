// @ts-check
// The list of all operators that devices name, and of the organisations that registered.

import { connection, isAbort, latestOnly, Outage } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { formatNumber, formatShare } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { trouble } from '../page/trouble.js';
import { startShell } from '../shell/shell.js';
import { label, scheme } from '../taxonomies.js';
import { namedPath, ORDERS, shareOf } from './named.js';

/** @typedef {import('./organisation.js').Registered} Registered */
/** @typedef {import('./named.js').Named} Named */
/** @typedef {import('./named.js').Totals} Totals */

const TYPING = 250; // milliseconds after the last key before the search starts

/** @param {number} count */
const number = (count) => formatNumber(count, language());

/** One list that grows by pages. */
class List {
  /**
   * @param {(next: string | null) => Promise<{nodes: Node[], next: string | null, words: string}>} read
   */
  constructor(read) {
    this.read = read;
    /** @type {string | null} */
    this.next = null;
    this.status = h('p', { class: 'section-note', role: 'status' }, translate('page.loading'));
    this.rows = h('ul', { class: 'operator-list' });
    this.foot = h('div', { class: 'form-acts' });
  }

  /** @param {boolean} [more] @returns {Promise<void>} */
  async load(more = false) {
    try {
      const { nodes, next, words } = await this.read(more ? this.next : null);
      const first = nodes[0];
      if (more) this.rows.append(...nodes);
      else fill(this.rows, ...nodes);
      this.next = next;
      this.status.textContent = words;
      fill(this.foot, next
        && h('button', { type: 'button', class: 'button', onclick: () => this.load(true) }, translate('order.more')));
      if (more && first instanceof HTMLElement) first.querySelector('a')?.focus();
    } catch (error) {
      if (isAbort(error)) return undefined;
      if (error instanceof Outage) return connection.recovered().then(() => this.load(more));
      this.status.textContent = trouble(error);
    }
    return undefined;
  }
}

class Operators {
  constructor() {
    const address = new URLSearchParams(location.search);
    const latest = { named: latestOnly(), registered: latestOnly() };
    this.input = /** @type {HTMLInputElement} */ (h('input',
      { type: 'search', id: 'operators-q', class: 'text-input', name: 'q', maxlength: '100', autocomplete: 'off' }));
    this.input.value = address.get('q') ?? '';
    this.order = /** @type {HTMLSelectElement} */ (h('select',
      { id: 'operators-order', class: 'text-input', name: 'order' },
      ...ORDERS.map((order) => h('option', { value: order }, translate(`named.order.${order}`)))));
    this.order.value = ORDERS.includes(address.get('order') ?? '') ? String(address.get('order')) : 'devices';
    this.totals = h('div', {});
    this.named = new List(async (next) => {
      const query = this.query({ order: this.order.value, cursor: next });
      const answer = await latest.named(`/api/operators/named?${query}`);
      this.showTotals(answer.devices);
      return {
        nodes: answer.operators.map(row), next: answer.next ?? null,
        words: answer.count ? plural('operators.count', answer.count, { count: number(answer.count) })
          : translate(this.words ? 'named.none_found' : 'named.none'),
      };
    });
    this.registered = new List(async (next) => {
      const answer = await latest.registered(`/api/operators?${this.query({ cursor: next })}`);
      return {
        nodes: answer.operators.map(card), next: answer.next ?? null,
        words: answer.operators.length ? '' : translate(this.words ? 'operators.none_found' : 'operators.none'),
      };
    });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.typing = undefined;
    this.input.addEventListener('input', () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.load(), TYPING);
    });
    this.order.addEventListener('change', () => this.load());
  }

  get words() { return this.input.value.trim(); }

  /** @param {Record<string, string | null>} more */
  query(more) {
    const pairs = Object.entries({ q: this.words, ...more });
    return new URLSearchParams(/** @type {[string, string][]} */ (pairs.filter(([, value]) => value)));
  }

  draw() {
    document.title = `${translate('operators.title')} · ${instanceName()}`;
    fill(byId('content'), h('div', { class: 'ledger' },
      h('header', { class: 'ledger-head' },
        h('h1', { tabindex: '-1' }, translate('operators.title')),
        h('p', { class: 'lead' }, translate('named.lead')), this.totals),
      h('form', { class: 'form operator-search', role: 'search', onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.load();
      } },
      h('div', { class: 'field' },
        h('label', { class: 'field-label', for: 'operators-q' }, translate('operators.search')), this.input),
      h('div', { class: 'field' },
        h('label', { class: 'field-label', for: 'operators-order' }, translate('named.order')), this.order)),
      h('section', { 'aria-label': translate('operators.title') },
        this.named.status, this.named.rows, this.named.foot),
      h('section', { class: 'paper', 'aria-labelledby': 'registered-title' },
        h('h2', { id: 'registered-title' }, translate('named.registered')),
        h('p', {}, translate('operators.lead')),
        this.registered.status, this.registered.rows, this.registered.foot,
        h('div', { class: 'form-acts' },
          h('a', { class: 'button', href: '/operators/register' }, icon('plus'), translate('operators.register'))))));
    this.load();
  }

  load() {
    const order = this.order.value === 'devices' ? null : this.order.value;
    const query = this.query({ order }).toString();
    history.replaceState(history.state, '', query ? `/operators?${query}` : '/operators');
    return Promise.all([this.named.load(), this.registered.load()]);
  }

  /** @param {Totals} totals */
  showTotals({ total, named, unlisted, unknown }) {
    if (!total) return fill(this.totals);
    const part = (/** @type {number} */ count) => formatShare(shareOf(count, total), language());
    return fill(this.totals, h('p', {},
      translate('named.totals', { named: number(named), total: number(total), share: part(named) }), ' ',
      unknown > 0 && plural('named.totals.unknown', unknown, { share: part(unknown) }), ' ',
      unlisted > 0 && plural('named.totals.unlisted', unlisted)));
  }
}

/** @param {Named} one */
function row({ key, name, kind, devices, towns, registered }) {
  return h('li', { class: 'operator-row' },
    h('h2', {}, h('a', { class: 'said', href: namedPath(key) }, h('bdi', {}, name))),
    h('p', { class: 'section-note' }, [
      plural('operators.devices', devices, { count: number(devices) }),
      towns > 0 && plural('named.towns', towns, { count: number(towns) }),
      kind !== 'unknown' && label('operator_kinds', kind),
    ].filter(Boolean).join(' · ')),
    registered && h('p', { class: 'operator-checked' }, icon('shield'), h('span', {}, translate('named.verified'))));
}

/** @param {Registered} one */
function card(one) {
  return h('li', { class: 'operator-card' },
    h('h3', {}, h('a', { class: 'said', href: `/operators/${one.id}` }, one.name)),
    h('p', { class: 'section-note' },
      [label('operator_kinds', one.kind), plural('operators.devices', one.devices, { count: number(one.devices) })]
        .join(' · ')),
    one.checked_by
      && h('p', { class: 'operator-checked' }, icon('shield'),
        h('span', {}, translate(`operator.checked.${one.checked_by}`))));
}

startShell().then(async () => {
  await scheme('operator_kinds').catch(() => null);
  new Operators().draw();
});
