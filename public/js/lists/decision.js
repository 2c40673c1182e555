// @ts-check
// One proposed list for moderators: its facts, its devices with flags, the decision, and undoing it.

import { getJSON, send } from '../api.js';
import { askText } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { isBusy, saidIn, saidOver, steadily, whileBusy } from '../forms/steadily.js';
import { plural, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { trouble } from '../page/trouble.js';
import { scheme } from '../taxonomies.js';
import { ProposedDevices } from './devices.js';
import { countsOf, factsOf, number, PROPOSALS, stateOf } from './proposals.js';

/** @typedef {import('./proposals.js').Proposal} Proposal */

const LONGEST_REASON = 500;

export class ProposalDecision {
  /** @param {HTMLElement} place @param {string} id */
  constructor(place, id) {
    this.id = id;
    this.path = `/api/moderation/proposals/${id}`;
    /** @type {ProposedDevices | null} */
    this.devices = null;
    this.title = h('h2', { tabindex: '-1' }, translate('lists.one'));
    this.state = h('p', { role: 'status' });
    this.body = h('div', { class: 'import-parts' });
    fill(place, h('div', { class: 'import-page' },
      h('p', {}, h('a', { href: '/moderation/lists' }, icon('back'), translate('lists.queue.back'))), this.title,
      this.state, this.body));
    this.load();
  }

  async load() {
    try {
      const [proposal] = await Promise.all([
        /** @type {Promise<Proposal>} */ (getJSON(`${PROPOSALS}/${this.id}`)), scheme('categories').catch(() => null)]);
      this.draw(proposal);
    } catch (error) {
      this.state.textContent = trouble(error);
    }
  }

  /** @param {Proposal} proposal */
  draw(proposal) {
    fill(this.title, h('bdi', {}, proposal.file));
    fill(this.state, h('span', { class: 'chip' }, stateOf(proposal)));
    const isOpen = proposal.state === 'open';
    this.devices?.end();
    const devices = new ProposedDevices(proposal.proposed ?? [], isOpen ? { selected: () => this.count() } : {});
    this.devices = devices;
    fill(this.body,
      h('section', { class: 'fact-section' }, h('h3', {}, translate('lists.facts')), factsOf(proposal),
        countsOf(proposal), proposal.state === 'accepted' && this.after(proposal)),
      h('section', { class: 'fact-section' }, h('h3', {}, translate('lists.devices.title')), devices.element),
      isOpen && this.form());
    devices.start();
    if (isOpen) this.count();
  }

  form() {
    this.fault = h('p', { class: 'complaint', role: 'alert' });
    this.fault.hidden = true;
    this.said = h('p', { role: 'status', class: 'section-note' });
    this.reason = /** @type {HTMLTextAreaElement} */ (h('textarea', {
      id: 'lists-reason', class: 'text-input', rows: '3', maxlength: String(LONGEST_REASON),
      'aria-describedby': 'lists-reason-note',
    }));
    this.accept = h('button', { type: 'button', class: 'button primary', 'data-act': 'accept',
      onclick: () => this.press(false) }, icon('check'), h('span', {}));
    this.refuse = h('button', { type: 'button', class: 'button grave', 'data-act': 'refuse',
      onclick: () => this.press(true) }, translate('lists.refuse'));
    return h('section', { class: 'fact-section' }, h('h3', {}, translate('lists.decision')), this.said,
      h('div', { class: 'field' }, h('label', { class: 'field-label', for: 'lists-reason' }, translate('lists.reason')),
        h('p', { class: 'field-note', id: 'lists-reason-note' }, translate('lists.reason.note')), this.reason),
      this.fault, h('div', { class: 'decision-acts' }, this.accept, this.refuse));
  }

  /** Says how many devices are selected. */
  count() {
    const { devices, accept, said } = this;
    if (!devices || !accept || !said) return;
    const count = devices.selection.size;
    fill(accept, icon('check'), h('span', {}, plural('lists.accept.button', count)));
    accept.hidden = count === 0;
    said.textContent = translate('lists.selected', { count: number(count), all: number(devices.devices.length) });
  }

  /** @param {boolean} isRefusal of the whole list */
  press(isRefusal) {
    const { accept, refuse } = this;
    if (!accept || !refuse || isBusy(accept)) return;
    whileBusy([accept, refuse], () => this.decide(isRefusal));
  }

  /** @param {boolean} isRefusal */
  async decide(isRefusal) {
    const { devices, fault, reason } = this;
    if (!devices || !fault || !reason) return;
    const rows = isRefusal ? [] : [...devices.selection];
    const words = reason.value.trim();
    if (rows.length < devices.devices.length && !words) {
      saidIn(fault).say([translate('lists.reason.missing')]);
      reason.focus();
      return;
    }
    const isDone = await steadily(saidIn(fault), () => send('POST', `${this.path}/decision`, {
      json: { rows, ...(words ? { reason: words } : {}) },
    }), {
      again: translate('lists.decision'), refused: async (refusal) => {
        if (refusal.kind !== 'overtaken') return false;
        await this.load();
        toast(refusal.message);
        return true;
      },
    });
    if (!isDone) return;
    toast(rows.length ? plural('lists.done', rows.length) : translate('lists.done.refused'));
    await this.load();
    this.title.focus();
  }

  /** @param {Proposal} proposal */
  after({ decision }) {
    return h('div', { class: 'decision-acts' },
      decision?.import != null && h('a', { class: 'button', href: `/admin/imports/${decision.import}` }, icon('list'),
        translate('admin.import.link')),
      h('button', {
        type: 'button', class: 'button grave', 'data-act': 'undo',
        onclick: (/** @type {Event} */ event) => this.undo(/** @type {HTMLElement} */ (event.currentTarget)),
      }, icon('restore'), translate('lists.undo')));
  }

  /** @param {HTMLElement} button */
  async undo(button) {
    const reason = await askText({
      title: translate('lists.undo.why'), label: translate('order.reason'), yes: translate('lists.undo'),
      no: translate('form.cancel'), longest: LONGEST_REASON, look: 'order',
    });
    if (!reason) return;
    if (!await steadily(saidOver(button), () => send('POST', `${this.path}/undo`, { json: { reason } }))) return;
    toast(translate('lists.undo.done'));
    await this.load();
    this.title.focus();
  }
}
