// @ts-check
// Organisations that apply for the operator role: the checks made, and the decision.

import { connection, isAbort, latestOnly, Outage, send } from '../api.js';
import { dayWords } from '../choices/words.js';
import { fill, h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { proofFields } from '../forms/proof.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { has, language, translate } from '../i18n.js';
import { isChecked } from '../operators/organisation.js';
import { toast } from '../page/notices.js';
import { trouble } from '../page/trouble.js';
import { label, scheme } from '../taxonomies.js';

/**
 * @typedef {import('../operators/organisation.js').Organisation & {account: {id: string, username: string} | null}}
 *   Waiting
 */
/** @typedef {'approve' | 'refuse' | 'withdraw'} Decision */

const STATES = ['waiting', 'approved', 'refused'];
/** @type {Record<string, Decision[]>} */
const DECISIONS = { waiting: ['approve', 'refuse'], approved: ['withdraw'], refused: ['approve'] };

export class Operators {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.latest = latestOnly();
    const asked = new URLSearchParams(location.search).get('state') ?? '';
    this.state = STATES.includes(asked) ? asked : 'waiting';
    /** @type {Waiting[]} */
    this.found = [];
    /** @type {string | null} */
    this.next = null;
    this.filters = h('div', { class: 'chips', role: 'group', 'aria-label': translate('admin.operators.states') });
    this.status = h('p', { class: 'section-note', role: 'status' });
    this.list = h('ul', { class: 'account-list' });
    this.foot = h('div', {});
    fill(place, h('h2', { class: 'visually-hidden' }, translate('admin.operators')), this.filters, this.status,
      this.list, this.foot);
    scheme('operator_kinds').catch(() => null).then(() => this.load());
  }

  /** @param {boolean} [more] @returns {Promise<void>} */
  async load(more = false) {
    try {
      const query = new URLSearchParams({ state: this.state, ...(more && this.next && { cursor: this.next }) });
      const answer = await this.latest(`/api/admin/operators?${query}`);
      this.found = more ? [...this.found, ...answer.operators] : answer.operators;
      this.next = answer.next ?? null;
      this.draw(answer.counts ?? {});
    } catch (error) {
      if (isAbort(error)) return undefined;
      if (error instanceof Outage) return connection.recovered().then(() => this.load(more));
      this.status.textContent = trouble(error);
    }
    return undefined;
  }

  /** @param {Record<string, number>} counts */
  draw(counts) {
    fill(this.filters, ...STATES.map((state) => h('button', {
      type: 'button', class: `chip ${this.state === state ? 'is-on' : ''}`,
      'aria-pressed': String(this.state === state), 'data-state': state,
      onclick: () => {
        this.state = state;
        this.load().then(() => (
          /** @type {HTMLElement | null} */ (this.filters.querySelector(`[data-state="${state}"]`))?.focus()));
      },
    }, translate(`admin.operators.state.${state}`), ` ${formatNumber(counts[state] ?? 0, language())}`)));
    this.status.textContent = this.found.length ? '' : translate(`admin.operators.none.${this.state}`);
    fill(this.list, ...this.found.map((one) => this.row(one)));
    fill(this.foot, this.next && h('button', { type: 'button', class: 'button', onclick: () => this.load(true) },
      translate('order.more')));
  }

  /**
   * Loads the list again and keeps the note typed for one organisation.
   * @param {string} id @param {string} note @param {string} words
   */
  async renew(id, note, words) {
    await this.load();
    const row = [...this.list.children].find((child) => child.getAttribute('data-id') === id);
    const input = row?.querySelector('textarea');
    const fault = row?.querySelector('.field-fault');
    if (!input || !fault) {
      this.status.textContent = words;
      return;
    }
    input.value = note;
    fault.textContent = words;
    input.focus();
  }

  /** @param {Waiting} one */
  row(one) {
    const checked = isChecked(one);
    const facts = /** @type {[string, string | null | undefined][]} */ ([
      ['organisation.domain', one.domain], ['organisation.website', one.website], ['field.contact', one.contact],
      ['field.data_protection_contact', one.data_protection_contact],
      ['admin.operators.unproven', one.unproven_contacts.join(', ')], ['field.privacy_policy', one.privacy_policy],
      ['admin.operators.account', one.account?.username], ['admin.operators.asked', dayWords(one.created_at)],
      ['event.reason', one.reason], ['organisation.check.note', one.check?.note],
    ]).filter(([, value]) => value);
    return h('li', { class: 'fact-section', 'data-id': one.id },
      h('div', { class: 'account-line' },
        h('h3', { class: 'said' }, one.name), h('span', { class: 'chip' }, label('operator_kinds', one.kind)),
        h('span', { class: `operator-checked ${checked ? '' : 'is-open'}` }, icon(checked ? 'shield' : 'question'),
          h('span', {}, checked && one.check && has(`operator.checked.${one.check.method}`)
            ? `${translate(`operator.checked.${one.check.method}`)} · ${dayWords(String(one.check.done_at))}`
            : translate('admin.operators.unchecked')))),
      h('dl', { class: 'facts' },
        ...facts.map(([key, value]) => h('div', {}, h('dt', {}, translate(key)), h('dd', { class: 'said' }, value)))),
      this.decision(one, checked));
  }

  /** @param {Waiting} one @param {boolean} checked */
  decision(one, checked) {
    const id = `note-${one.id}`;
    const note = /** @type {HTMLTextAreaElement} */ (h('textarea', {
      id, rows: '2', maxlength: '500', 'aria-describedby': `${id}-what`,
    }));
    const fault = h('p', { class: 'field-fault', role: 'alert' });
    // Approval grants a role and withdrawal removes it, so both require a proof of identity.
    // Refusal does not.
    let isNeeded = true;
    const proof = proofFields(() => isNeeded);
    const buttons = (DECISIONS[one.state] ?? []).map((decision) => h('button', {
      type: 'button', class: `button ${decision === 'approve' ? 'primary' : 'grave'}`, 'data-decision': decision,
      onclick: () => decide(decision),
    }, icon(decision === 'approve' ? 'check' : 'close'), translate(`admin.operators.${decision}`),
    h('span', { class: 'visually-hidden' }, `: ${one.name}`)));
    /** @param {Decision} decision */
    const decide = async (decision) => {
      const words = note.value.trim();
      if (!words && (decision !== 'approve' || !checked)) {
        fault.textContent = translate(decision === 'approve' ? 'admin.operators.note.needed' : 'order.reason.missing');
        note.focus();
        return;
      }
      isNeeded = decision !== 'refuse';
      if (proof.missing()) return;
      const isDone = await steadily(saidIn(fault),
        () => send('POST', `/api/admin/operators/${encodeURIComponent(one.id)}`, {
          json: {
            decision, version: one.version, ...(words && { note: words }),
            ...(decision === 'approve' && !checked && { method: 'manual' }),
            ...proof.values(),
          },
        }), {
        again: translate(`admin.operators.${decision}`),
        refused: async (refusal) => {
          if (refusal.kind !== 'stale') return false;
          await this.renew(one.id, words, refusal.message);
          return true;
        },
      });
      if (!isDone) return;
      toast(translate(`admin.operators.done.${decision}`));
      await this.load();
      /** @type {HTMLElement | null} */ (this.filters.querySelector('[aria-pressed="true"]'))?.focus();
    };
    return h('div', { class: 'operator-decision' },
      h('div', { class: 'field' }, h('label', { for: id }, translate('admin.operators.note')), note,
        h('p', { class: 'section-note', id: `${id}-what` },
          translate(checked || one.state === 'approved'
            ? 'admin.operators.note.what'
            : 'admin.operators.note.by_hand'))),
      proof.element, fault, h('div', { class: 'decision-acts' }, ...buttons));
  }
}
