// @ts-check
// Requests for research access, and the decision.

import { connection, isAbort, latestOnly, Outage, send } from '../api.js';
import { dayWords } from '../choices/words.js';
import { fill, h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { language, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { trouble } from '../page/trouble.js';

/** @typedef {import('../account/research.js').Access & {account: {id: string, username: string}}} Asked */
/** @typedef {'grant' | 'refuse' | 'revoke'} Decision */

const STATES = ['waiting', 'granted', 'refused', 'revoked', 'ended'];
/** @type {Record<string, Decision[]>} */
const DECISIONS = { waiting: ['grant', 'refuse'], granted: ['revoke'] };

export class Research {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.latest = latestOnly();
    const asked = new URLSearchParams(location.search).get('state') ?? '';
    this.state = STATES.includes(asked) ? asked : 'waiting';
    /** @type {Asked[]} */
    this.found = [];
    /** @type {string | null} */
    this.next = null;
    this.filters = h('div', { class: 'chips', role: 'group', 'aria-label': translate('admin.research.states') });
    this.status = h('p', { class: 'section-note', role: 'status' });
    this.list = h('ul', { class: 'account-list' });
    this.foot = h('div', {});
    fill(place, h('h2', { class: 'visually-hidden' }, translate('admin.research')), this.filters, this.status,
      this.list, this.foot);
    this.load();
  }

  /** @param {boolean} [more] @returns {Promise<void>} */
  async load(more = false) {
    const query = new URLSearchParams({ state: this.state });
    if (more && this.next) query.set('cursor', this.next);
    try {
      const { requests, counts, next } = await this.latest(`/api/admin/research-access?${query}`);
      this.found = more ? [...this.found, ...requests] : requests;
      this.next = next;
      this.draw(counts);
    } catch (error) {
      if (isAbort(error)) return;
      if (error instanceof Outage) {
        await connection.recovered();
        await this.load(more);
      } else {
        this.status.textContent = trouble(error);
      }
    }
  }

  /** @param {Record<string, number>} counts */
  draw(counts) {
    const chip = (/** @type {string} */ state) => h('button', {
      type: 'button', class: `chip ${this.state === state ? 'is-on' : ''}`,
      'aria-pressed': String(this.state === state), 'data-state': state,
      onclick: () => this.show(state),
    }, `${translate(`admin.research.state.${state}`)} ${formatNumber(counts[state] ?? 0, language())}`);
    fill(this.filters, ...STATES.map(chip));
    this.status.textContent = this.found.length ? '' : translate('admin.research.none');
    fill(this.list, ...this.found.map((one) => this.row(one)));
    fill(this.foot, this.next && h('button', { type: 'button', class: 'button', onclick: () => this.load(true) },
      translate('order.more')));
  }

  /** @param {string} state */
  async show(state) {
    this.state = state;
    await this.load();
    /** @type {HTMLElement | null} */ (this.filters.querySelector('[aria-pressed="true"]'))?.focus();
  }

  /** @param {Asked} one */
  row(one) {
    const facts = [
      ['admin.operators.account', one.account.username], ['account.research.purpose', one.purpose],
      ['admin.research.asked', dayWords(one.asked_at)], ['admin.research.wanted', dayWords(one.wanted_until)],
      ['admin.research.until', one.until && dayWords(one.until)], ['event.reason', one.reason],
    ].filter(([, value]) => value);
    return h('li', { class: 'fact-section', 'data-id': one.id },
      h('div', { class: 'account-line' }, h('h3', { class: 'said' }, one.project)),
      h('dl', { class: 'facts' },
        ...facts.map(([key, value]) => h('div', {}, h('dt', {}, translate(String(key))),
          h('dd', { class: 'said' }, value)))),
      DECISIONS[one.state] && this.decision(one));
  }

  /** @param {Asked} one */
  decision(one) {
    const id = `research-${one.id}`;
    const reason = /** @type {HTMLTextAreaElement} */ (h('textarea', { id, rows: '2', maxlength: '500' }));
    const until = /** @type {HTMLInputElement} */ (h('input', {
      id: `${id}-until`, type: 'date', class: 'text-input', value: one.wanted_until,
    }));
    const fault = h('p', { class: 'field-fault', role: 'alert' });
    /** @param {Decision} decision */
    const decide = async (decision) => {
      if (!reason.value.trim() && decision !== 'grant') {
        fault.textContent = translate('order.reason.missing');
        reason.focus();
        return;
      }
      const why = reason.value.trim();
      const json = { decision, ...(why && { reason: why }), ...(decision === 'grant' && { until: until.value }) };
      const isDone = await steadily(saidIn(fault),
        () => send('POST', `/api/admin/research-access/${encodeURIComponent(one.id)}`, { json }), {
          again: translate(`admin.research.${decision}`),
        });
      if (!isDone) return;
      toast(translate(`admin.research.done.${decision}`));
      await this.show(this.state);
    };
    const button = (/** @type {Decision} */ decision) => h('button', {
      type: 'button', class: `button ${decision === 'grant' ? 'primary' : 'grave'}`, 'data-decision': decision,
      onclick: () => decide(decision),
    }, icon(decision === 'grant' ? 'check' : 'close'), translate(`admin.research.${decision}`),
    h('span', { class: 'visually-hidden' }, `: ${one.project}`));
    return h('div', { class: 'operator-decision' },
      one.state === 'waiting' && h('div', { class: 'field' },
        h('label', { for: until.id }, translate('admin.research.until')), until),
      h('div', { class: 'field' }, h('label', { for: id }, translate('admin.research.reason')), reason),
      fault, h('div', { class: 'decision-acts' }, ...(DECISIONS[one.state] ?? []).map(button)));
  }
}
