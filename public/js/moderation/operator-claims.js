// @ts-check
// Devices that an operator claims although users observed a different operator: both names next to each other, and the
// decision.

import { connection, isAbort, latestOnly, Outage, send } from '../api.js';
import { lateName, nameOf } from '../devices/late-name.js';
import { fill, h, icon } from '../dom.js';
import { formatDay, formatList } from '../format.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { language, plural, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { trouble } from '../page/trouble.js';

/**
 * @typedef {object} Claim
 * @property {string} id
 * @property {string} version version that the page shows; the decision sends it back
 * @property {{id: string, name: string, category: string, operator?: {name: string | null} | null}} device
 * @property {{id: string, name: string, domain?: string, checked_by?: string | null}} operator that claims the device
 * @property {{name: string | null} | null} [observed] the operator that users observed
 * @property {string | null} note
 * @property {string} [created_at]
 */

/** @param {Claim} claim */
function observedName({ observed, device }) {
  return observed?.name ?? device.operator?.name ?? null;
}

/**
 * Claims that one decision answers: of one organisation, with one observed name and one note.
 * @param {Claim[]} claims @returns {Claim[][]}
 */
function together(claims) {
  /** @type {Map<string, Claim[]>} */
  const groups = new Map();
  for (const claim of claims) {
    const key = JSON.stringify([claim.operator.id, observedName(claim), claim.note]);
    groups.set(key, [...groups.get(key) ?? [], claim]);
  }
  return [...groups.values()];
}

export class OperatorClaims {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.latest = latestOnly();
    /** @type {Claim[]} */
    this.found = [];
    /** @type {string | null} */
    this.next = null;
    this.status = h('p', { class: 'section-note', role: 'status' });
    this.list = h('ul', { class: 'account-list' });
    this.foot = h('div', {});
    fill(place, h('h2', { tabindex: '-1' }, translate('claims_waiting.title')),
      h('p', { class: 'section-note' }, translate('claims_waiting.lead')), this.status, this.list, this.foot);
    this.heading = place.querySelector('h2');
    this.load();
  }

  /** @param {boolean} [more] @returns {Promise<void>} */
  async load(more = false) {
    try {
      const answer = await this.latest(
        `/api/moderation/operator-claims${more && this.next ? `?cursor=${encodeURIComponent(this.next)}` : ''}`,
      );
      this.found = more ? [...this.found, ...answer.claims] : answer.claims;
      this.next = answer.next ?? null;
      this.status.textContent = this.found.length
        ? plural('claims_waiting.count', this.found.length)
        : translate('claims_waiting.none');
      fill(this.list, ...together(this.found).map((claims) => this.row(claims)));
      fill(this.foot,
        this.next
          && h('button', { type: 'button', class: 'button', onclick: () => this.load(true) }, translate('order.more')));
    } catch (error) {
      if (isAbort(error)) return undefined;
      if (error instanceof Outage) return connection.recovered().then(() => this.load(more));
      this.status.textContent = trouble(error);
    }
    return undefined;
  }

  /** @param {Claim[]} claims of one organisation whose devices have the same observed operator */
  row(claims) {
    const [{ id, device, operator, note, created_at: at }] = claims;
    const seen = observedName(claims[0]);
    const input = /** @type {HTMLInputElement} */ (h('input',
      { type: 'text', id: `reason-${id}`, maxlength: '500' }));
    const fault = h('p', { class: 'field-fault', role: 'alert' });
    const left = [...claims];
    const named = () => {
      const names = h('span', { class: 'visually-hidden' });
      Promise.all(claims.map((claim) => nameOf(claim.device))).then((found) => {
        names.textContent = `: ${formatList(found, language())}`;
      });
      return names;
    };
    /** @param {'approve' | 'refuse'} decision */
    const decide = async (decision) => {
      const reason = input.value.trim();
      if (!reason && decision === 'refuse') {
        fault.textContent = translate('order.reason.missing');
        input.focus();
        return;
      }
      const isDone = await steadily(saidIn(fault),
        async () => {
          // After an outage it goes on with the claims that are left.
          while (left.length) {
            await send('POST', `/api/moderation/operator-claims/${encodeURIComponent(left[0].id)}`,
              { json: { decision, ...(reason && { reason }), version: left[0].version } });
            left.shift();
          }
        }, {
            again: translate(`claims_waiting.${decision}`),
            refused: async (refusal) => {
              if (refusal.kind !== 'stale') return false;
              await this.load();
              this.status.textContent = refusal.message;
              this.heading?.focus();
              return true;
            },
          });
      if (!isDone) return;
      toast(translate(`claims_waiting.done.${decision}`));
      await this.load();
      this.heading?.focus();
    };
    return h('li', { class: 'fact-section', 'data-id': id },
      h('h3', {}, claims.length > 1
        ? plural('claims_waiting.together', claims.length)
        : h('a', { class: 'said', href: `/devices/${device.id}` }, lateName(device))),
      claims.length > 1 && h('ul', { class: 'points' }, ...claims.map((claim) => h('li', {},
        h('a', { class: 'said', href: `/devices/${claim.device.id}` }, lateName(claim.device))))),
      h('dl', { class: 'facts' },
        h('div', {}, h('dt', {}, translate('claims_waiting.says')),
          h('dd', { class: 'said' }, h('a', { href: `/operators/${operator.id}` }, operator.name))),
        h('div', {}, h('dt', {}, translate('claims_waiting.observed')),
          h('dd', { class: 'said' }, seen ?? translate('unknown'))),
        note && h('div', {}, h('dt', {}, translate('event.note')), h('dd', { class: 'said' }, note)),
        at
          && h('div', {}, h('dt', {}, translate('admin.operators.asked')),
            h('dd', {}, formatDay(at.slice(0, 10), language())))),
      h('div', { class: 'operator-decision' },
        h('div', { class: 'field' }, h('label', { for: input.id }, translate('order.reason')), input,
          h('p', { class: 'section-note' }, translate('claims_waiting.reason.note'))), fault,
        h('div', { class: 'decision-acts' },
          h('button',
            { type: 'button', class: 'button primary', 'data-decision': 'approve', onclick: () => decide('approve') },
            icon('check'), translate('claims_waiting.approve'),
            named()),
          h('button',
            { type: 'button', class: 'button grave', 'data-decision': 'refuse', onclick: () => decide('refuse') },
            icon('close'), translate('claims_waiting.refuse'),
            named()))));
  }
}
