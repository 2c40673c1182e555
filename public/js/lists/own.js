// @ts-check
// The proposed lists of the signed-in user, and one of them.

import { getJSON, send } from '../api.js';
import { ask } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { plural, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { trouble } from '../page/trouble.js';
import { scheme } from '../taxonomies.js';
import { ProposedDevices } from './devices.js';
import { countsOf, day, factsOf, MOST_OPEN, PROPOSALS, stateOf } from './proposals.js';

/** @typedef {import('./proposals.js').Proposal} Proposal */

/**
 * A list of proposals as links.
 * @param {Proposal[]} proposals @param {string} path of the page of each
 */
export function proposalList(proposals, path) {
  return proposals.map((proposal) => h('li', { class: 'fact-section', 'data-id': proposal.id },
    h('h3', {}, h('a', { href: `${path}/${proposal.id}` }, h('bdi', {}, proposal.file))),
    h('p', {}, h('span', { class: 'chip' }, stateOf(proposal)), ' ', day(proposal.created_at),
      !proposal.own && proposal.by ? [' · ', h('bdi', {}, proposal.by)] : null),
    countsOf(proposal)));
}

export class OwnProposals {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.list = h('ul', { class: 'account-list' });
    this.status = h('p', { class: 'section-note', role: 'status' });
    this.foot = h('div', {});
    this.add = h('div', { class: 'decision-acts' });
    fill(place, h('div', { class: 'order-head' }, h('h1', { tabindex: '-1' }, translate('lists.title'))),
      h('div', { class: 'lists-own' }, h('p', {}, translate('lists.lead')), this.add, this.status, this.list,
        this.foot));
    this.load(null);
  }

  /** @param {string | null} cursor */
  async load(cursor) {
    try {
      const { proposals, next, counts } = await getJSON(
        cursor ? `${PROPOSALS}?${new URLSearchParams({ cursor })}` : PROPOSALS);
      if (!cursor) fill(this.list);
      this.list.append(...proposalList(proposals, '/lists'));
      const open = counts?.open ?? 0;
      this.status.textContent = this.list.childElementCount ? plural('lists.open', open) : translate('lists.none');
      fill(this.add, open < MOST_OPEN
        ? h('a', { class: 'button primary', href: '/lists/propose' }, icon('plus'), translate('lists.propose'))
        : h('p', { class: 'section-note' }, translate('lists.full')));
      fill(this.foot, next && h('button', { type: 'button', class: 'button', onclick: () => this.load(next) },
        translate('list.more')));
    } catch (error) {
      this.status.textContent = trouble(error);
    }
  }
}

export class OwnProposal {
  /** @param {HTMLElement} place @param {string} id */
  constructor(place, id) {
    this.path = `${PROPOSALS}/${id}`;
    this.title = h('h1', { tabindex: '-1' }, translate('lists.one'));
    this.body = h('div', { class: 'import-parts' }, h('p', { role: 'status' }, translate('list.loading')));
    fill(place, h('div', { class: 'import-page' },
      h('p', {}, h('a', { href: '/lists' }, icon('back'), translate('lists.back'))), this.title, this.body));
    this.load();
  }

  async load() {
    try {
      const [proposal] = await Promise.all([
        /** @type {Promise<Proposal>} */ (getJSON(this.path)), scheme('categories').catch(() => null)]);
      this.draw(proposal);
    } catch (error) {
      fill(this.body, h('p', { role: 'alert' }, trouble(error)));
    }
  }

  /** @param {Proposal} proposal */
  draw(proposal) {
    fill(this.title, h('bdi', {}, proposal.file));
    const devices = new ProposedDevices(proposal.proposed ?? [], {});
    fill(this.body, h('p', { role: 'status' }, h('span', { class: 'chip' }, stateOf(proposal)), ' ',
      translate(`lists.means.${proposal.state}`)),
    h('section', { class: 'fact-section' }, h('h2', {}, translate('lists.facts')), factsOf(proposal),
      countsOf(proposal), proposal.state === 'open' && proposal.own
        && h('div', { class: 'decision-acts' }, this.withdrawButton(proposal))),
    h('section', { class: 'fact-section' }, h('h2', {}, translate('lists.devices.title')), devices.element));
    devices.start();
  }

  /** @param {Proposal} proposal */
  withdrawButton({ file }) {
    return h('button', {
      type: 'button', class: 'button grave', 'data-act': 'withdraw', onclick: async (/** @type {Event} */ event) => {
        const button = /** @type {HTMLElement} */ (event.currentTarget);
        const answer = await ask({
          title: translate('lists.withdraw'), words: translate('lists.withdraw.sure', { file }),
          answers: [
            { value: 'no', label: translate('form.cancel') },
            { value: 'yes', label: translate('lists.withdraw'), look: 'grave' },
          ],
        });
        if (answer !== 'yes') return;
        if (!await steadily(saidOver(button), () => send('DELETE', this.path))) return;
        toast(translate('lists.withdrawn'));
        location.assign('/lists');
      },
    }, icon('trash'), translate('lists.withdraw'));
  }
}
