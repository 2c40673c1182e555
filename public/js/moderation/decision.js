// @ts-check
// The form for a decision about one item: the reason, the actions, and a way to undo the action.

import { send } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { saidIn, saidOver, steadily } from '../forms/steadily.js';
import { plural, translate } from '../i18n.js';
import { announce } from '../page/notices.js';
import { Redaction } from './redact.js';
import { choices, order } from './words.js';

/** @typedef {import('./words.js').QueueItem} QueueItem */
/**
 * @typedef {object} Preview number of items that an action would revert
 * @property {number} [revisions] @property {number} [devices]
 */
/** @typedef {import('./words.js').Choice} Choice */

const DAYS = ['1', '7', '30', ''];
/** Frequent reasons, as buttons that save typing. */
const REASONS = ['fine', 'wrong', 'gone', 'never', 'private', 'spam', 'rude', 'double'];

/** The form below an item. */
export class Decision {
  /**
   * @param {QueueItem} item
   * @param {(item: QueueItem, words: string) => void} done called with a sentence about the action
   * @param {(item: QueueItem, words: string, reason: string) => void} stale called if the item changed since it was
   *   shown
   */
  constructor(item, done, stale) {
    this.item = item;
    this.done = done;
    this.stale = stale;
    this.choices = choices(item);
    this.reason = /** @type {HTMLTextAreaElement} */ (h('textarea', {
      id: 'reason', rows: '2', maxlength: '500', 'aria-describedby': 'reason-note reason-fault',
    }));
    this.fault = h('p', { class: 'field-fault', id: 'reason-fault', role: 'alert' });
    this.more = h('div', { class: 'decision-more' });
    this.element = h('section', { class: 'decision', 'aria-labelledby': 'decision-title' },
      h('h3', { id: 'decision-title' }, translate('order.decide')),
      h('label', { for: 'reason' }, translate('order.reason')),
      h('p', { class: 'section-note', id: 'reason-note' }, translate(
        this.choices.some(({ act }) => act === 'accept') ? 'order.reason.accept' : 'order.reason.note')),
      this.reason, this.fault, this.quickReasons(), this.more,
      h('div', { class: 'decision-acts' }, ...this.choices.map((choice) => this.button(choice))));
  }

  quickReasons() {
    return h('div', { class: 'chips', role: 'group', 'aria-label': translate('order.reason.quick') },
      ...REASONS.map((name) => h('button', {
        type: 'button', class: 'chip', onclick: () => {
          this.reason.value = translate(`order.reason.${name}`);
          this.fault.textContent = '';
          this.reason.focus();
        },
      }, translate(`order.reason.${name}`))));
  }

  /** @param {Choice} choice */
  button(choice) {
    return h('button', {
      type: 'button',
      class: `button ${choice.style === 'primary' ? 'primary' : choice.style === 'grave' ? 'grave' : ''}`.trim(),
      'data-act': choice.act, 'aria-keyshortcuts': choice.key, onclick: () => this.choose(choice),
    }, translate(`order.act.${choice.act}`), h('kbd', { 'aria-hidden': 'true' }, choice.key.toUpperCase()));
  }

  /**
   * Runs the action of a keyboard shortcut.
   * @param {string} key @returns {boolean} whether the key has an action here
   */
  press(key) {
    const choice = this.choices.find((one) => one.key === key);
    if (choice) this.choose(choice);
    return choice !== undefined;
  }

  /**
   * Some actions need further input first.
   * @param {Choice} choice
   */
  choose(choice) {
    switch (choice.act) {
      case 'merge': return this.ask(choice, this.mergeQuestion());
      case 'suspend': return this.ask(choice, this.daysQuestion());
      case 'redact': return this.ask(choice, this.redactQuestion());
      case 'revert_all': return this.preview(choice);
      default: return this.carryOut(choice, {});
    }
  }

  /** @param {Choice} choice @param {{element: HTMLElement, value: () => object | null}} question */
  ask(choice, { element, value }) {
    fill(this.more, element, h('button', {
      type: 'button', class: 'button primary', onclick: () => {
        const more = value();
        if (more) this.carryOut(choice, more);
      },
    }, translate(`order.act.${choice.act}.now`)));
    const first = this.more.querySelector('input, select, button');
    if (first instanceof HTMLElement) first.focus();
  }

  mergeQuestion() {
    const input = /** @type {HTMLInputElement} */ (h('input',
      { type: 'text', id: 'merge-into', autocomplete: 'off', spellcheck: 'false' }));
    const element = h('div', { class: 'field' }, h('label', { for: 'merge-into' }, translate('order.merge.into')),
      h('p', { class: 'section-note' }, translate('order.merge.note')), input);
    return {
      element,
      value: () => {
        const id = /[0-9a-f]{8}-[0-9a-f-]{27}/i.exec(input.value)?.[0];
        if (!id) this.say(translate('order.merge.fault'));
        return id ? { into: id.toLowerCase() } : null;
      },
    };
  }

  daysQuestion() {
    const select = /** @type {HTMLSelectElement} */ (h('select', { id: 'suspend-days' },
      ...DAYS.map((days) => h('option', { value: days },
        days ? plural('order.days', Number(days)) : translate('order.days.ever')))));
    select.value = '7';
    return {
      element: h('div', { class: 'field' }, h('label', { for: 'suspend-days' }, translate('order.days.label')), select),
      value: () => (select.value ? { days: Number(select.value) } : {}),
    };
  }

  redactQuestion() {
    const redaction = new Redaction(/** @type {import('./words.js').QueuePhoto} */ (this.item.photo));
    return {
      element: redaction.element,
      value: () => {
        if (!redaction.regions.length) this.say(translate('order.redact.none'));
        return redaction.regions.length ? { regions: redaction.regions } : null;
      },
    };
  }

  /**
   * Before reverting all contributions of an account, shows how many there are.
   * @param {Choice} choice
   */
  async preview(choice) {
    const body = { ...order(choice, this.reason.value.trim() || '–'), dry_run: true };
    /** @type {Preview & {counts?: Preview}} */
    let would = {};
    const isTold = await steadily(saidIn(this.fault), async () => {
      would = (await send('POST', '/api/moderation/actions', { json: body })).body;
    });
    if (!isTold) return;
    this.ask(choice, {
      element: h('p', {}, plural('order.revert_all.preview', Number(would.counts?.revisions ?? would.revisions ?? 0), {
        devices: plural('take.count', Number(would.counts?.devices ?? would.devices ?? 0)),
      })),
      value: () => ({}),
    });
  }

  /** @param {Choice} choice @param {object} more */
  async carryOut(choice, more) {
    const reason = this.reason.value.trim();
    if (!reason && choice.act !== 'accept') {
      this.say(translate('order.reason.missing'));
      this.reason.focus();
      return;
    }
    this.element.setAttribute('aria-busy', 'true');
    let id = '';
    const isDone = await steadily(saidIn(this.fault), async () => {
      ({ id } = (await send('POST', '/api/moderation/actions', { json: order(choice, reason, more) })).body);
    }, {
      again: translate(`order.act.${choice.act}`),
      refused: (refusal) => {
        if (refusal.kind !== 'stale') return false;
        this.stale(this.item, refusal.message, reason);
        return true;
      },
    });
    this.element.removeAttribute('aria-busy');
    if (!isDone) return;
    const words = translate(`order.done.${choice.act}`);
    offerUndo(words, id);
    this.done(this.item, words);
  }

  /** @param {string} words */
  say(words) { this.fault.textContent = words; }
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let leaving;

/**
 * A bar that reports the action and offers to undo it.
 * @param {string} words @param {string} id of the action
 */
function offerUndo(words, id) {
  document.querySelector('.undo-strip')?.remove();
  clearTimeout(leaving);
  const strip = h('div', { class: 'toast undo-strip', role: 'status' }, h('span', {}, words),
    h('button', {
      type: 'button', class: 'notice-button', onclick: async () => {
        strip.remove();
        const isUndone = await steadily(saidOver(document.body),
          () => send('POST', `/api/moderation/actions/${encodeURIComponent(id)}/undo`,
            { json: { reason: translate('order.undo.reason') } }));
        if (!isUndone) return;
        announce(translate('order.undone'));
        document.dispatchEvent(new CustomEvent('farol-undone'));
      },
    }, icon('back'), translate('order.undo')));
  document.body.append(strip);
  leaving = setTimeout(() => strip.remove(), 20_000);
}
