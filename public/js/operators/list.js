// @ts-check
// The list of registered operators, with the way in which each was verified.

import { connection, isAbort, latestOnly, Outage } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { trouble } from '../page/trouble.js';
import { startShell } from '../shell/shell.js';
import { label, scheme } from '../taxonomies.js';

/** @typedef {import('./organisation.js').Registered} Registered */

const TYPING = 250; // milliseconds after the last key before the search starts

class Operators {
  constructor() {
    this.latest = latestOnly();
    /** @type {Registered[]} */
    this.found = [];
    /** @type {string | null} */
    this.next = null;
    this.input = /** @type {HTMLInputElement} */ (h('input',
      { type: 'search', id: 'operators-q', class: 'text-input', name: 'q', maxlength: '100', autocomplete: 'off' }));
    this.input.value = new URLSearchParams(location.search).get('q') ?? '';
    this.status = h('p', { class: 'section-note', role: 'status' });
    this.list = h('ul', { class: 'operator-list' });
    this.foot = h('div', { class: 'form-acts' });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.typing = undefined;
    this.input.addEventListener('input', () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.load(), TYPING);
    });
  }

  draw() {
    document.title = `${translate('operators.title')} · ${instanceName()}`;
    fill(byId('content'), h('div', { class: 'ledger' },
      h('header', { class: 'ledger-head' },
        h('h1', { tabindex: '-1' }, translate('operators.title')),
        h('p', { class: 'lead' }, translate('operators.lead')),
        h('div', { class: 'form-acts' },
          h('a', { class: 'button primary', href: '/operators/register' }, icon('plus'),
            translate('operators.register')))),
      h('form', { class: 'form operator-search', role: 'search', onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.load();
      } },
      h('div', { class: 'field' },
        h('label', { class: 'field-label', for: 'operators-q' }, translate('operators.search')), this.input)),
      this.status, this.list, this.foot));
    this.load();
  }

  /** @param {boolean} [more] @returns {Promise<void>} */
  async load(more = false) {
    const q = this.input.value.trim();
    const query = new URLSearchParams({ ...(q && { q }), ...(more && this.next && { cursor: this.next }) });
    history.replaceState(history.state, '', q ? `/operators?q=${encodeURIComponent(q)}` : '/operators');
    try {
      const answer = await this.latest(`/api/operators?${query}`);
      this.found = more ? [...this.found, ...answer.operators] : answer.operators;
      this.next = answer.next ?? null;
      this.show(q);
    } catch (error) {
      if (isAbort(error)) return undefined;
      if (error instanceof Outage) return connection.recovered().then(() => this.load(more));
      this.status.textContent = trouble(error);
    }
    return undefined;
  }

  /** @param {string} q */
  show(q) {
    this.status.textContent = this.found.length
      ? plural('operators.count', this.found.length)
      : translate(q ? 'operators.none_found' : 'operators.none');
    fill(this.list, ...this.found.map((one) => h('li', { class: 'paper operator-card' },
      h('h2', {}, h('a', { class: 'said', href: `/operators/${one.id}` }, one.name)),
      h('p', { class: 'section-note' },
        [label('operator_kinds', one.kind),
          plural('operators.devices', one.devices, { count: formatNumber(one.devices, language()) })].join(' · ')),
      one.checked_by
        && h('p', { class: 'operator-checked' }, icon('shield'),
          h('span', {}, translate(`operator.checked.${one.checked_by}`))))));
    fill(this.foot,
      this.next
        && h('button', { type: 'button', class: 'button', onclick: () => this.load(true) }, translate('order.more')));
  }
}

startShell().then(async () => {
  await scheme('operator_kinds').catch(() => null);
  new Operators().draw();
});
