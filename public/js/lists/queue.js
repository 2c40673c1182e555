// @ts-check
// The proposed lists as moderators see them: those that wait for a decision, and the decided ones.

import { getJSON } from '../api.js';
import { fill, h } from '../dom.js';
import { plural, translate } from '../i18n.js';
import { trouble } from '../page/trouble.js';
import { proposalList } from './own.js';

const STATES = /** @type {const} */ (['open', 'decided']);

export class ProposalQueue {
  /** @param {HTMLElement} place */
  constructor(place) {
    /** @type {'open' | 'decided'} */
    this.state = 'open';
    this.chips = h('div', { class: 'chips', role: 'group', 'aria-label': translate('lists.filter') });
    this.list = h('ul', { class: 'account-list' });
    this.status = h('p', { class: 'section-note', role: 'status' });
    this.foot = h('div', {});
    fill(place, h('h2', { tabindex: '-1' }, translate('order.lists')),
      h('p', { class: 'section-note' }, translate('lists.queue.lead')), this.chips, this.status, this.list, this.foot);
    this.load(null);
  }

  drawChips() {
    fill(this.chips, ...STATES.map((state) => h('button', {
      type: 'button', class: `chip ${this.state === state ? 'is-on' : ''}`, 'data-state': state,
      'aria-pressed': String(this.state === state), onclick: () => {
        this.state = state;
        this.load(null).then(() => {
          /** @type {HTMLElement | null} */ (this.chips.querySelector(`[data-state=${state}]`))?.focus();
        });
      },
    }, translate(`lists.filter.${state}`))));
  }

  /** @param {string | null} cursor */
  async load(cursor) {
    this.drawChips();
    try {
      const query = new URLSearchParams({ state: this.state, ...(cursor ? { cursor } : {}) });
      const { proposals, next, counts } = await getJSON(`/api/moderation/proposals?${query}`);
      if (!cursor) fill(this.list);
      this.list.append(...proposalList(proposals, '/moderation/lists'));
      this.status.textContent = this.state === 'open' ? plural('lists.waiting', counts?.open ?? 0)
        : this.list.childElementCount ? '' : translate('lists.none_decided');
      fill(this.foot, next && h('button', { type: 'button', class: 'button', onclick: () => this.load(next) },
        translate('order.more')));
    } catch (error) {
      this.status.textContent = trouble(error);
    }
  }
}
