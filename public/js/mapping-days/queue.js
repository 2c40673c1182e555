// @ts-check
// The mapping days that wait for a moderator: the plan of each with its map, and the decision.

import { getJSON, send } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { isBusy, saidIn, steadily, whileBusy } from '../forms/steadily.js';
import { plural, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { settings as askSettings } from '../page/start.js';
import { trouble } from '../page/trouble.js';
import { DayMap } from './map.js';
import { kindsWords, languageName, whenWords } from './words.js';

/** @typedef {import('./days.js').MappingDay} MappingDay */

const QUEUE = '/api/moderation/mapping-days';
const LONGEST_REASON = 500;

export class DayQueue {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.title = h('h2', { tabindex: '-1' }, translate('order.mapping_days'));
    this.list = h('ul', { class: 'account-list' });
    this.status = h('p', { class: 'section-note', role: 'status' });
    this.foot = h('div', {});
    fill(place, this.title, h('p', { class: 'section-note' }, translate('mapping_days.queue.lead')), this.status,
      this.list, this.foot);
    this.load(null);
  }

  /** @param {string | null} cursor */
  async load(cursor) {
    try {
      const query = cursor ? `?${new URLSearchParams({ cursor })}` : '';
      const [{ days, next }, settings] = await Promise.all([getJSON(`${QUEUE}${query}`), askSettings()]);
      if (!cursor) fill(this.list);
      for (const day of days) this.add(day, settings);
      this.tell();
      fill(this.foot, next && h('button', { type: 'button', class: 'button', onclick: () => this.load(next) },
        translate('order.more')));
    } catch (error) {
      this.status.textContent = trouble(error);
    }
  }

  tell() { this.status.textContent = plural('mapping_days.queue', this.list.childElementCount); }

  /** @param {MappingDay} day @param {import('../page/start.js').Settings} settings */
  add(day, settings) {
    const map = new DayMap(day.area, day.title);
    const reason = /** @type {HTMLTextAreaElement} */ (h('textarea', {
      id: `reason-${day.id}`, class: 'text-input', rows: '2', maxlength: String(LONGEST_REASON),
    }));
    const fault = h('p', { class: 'complaint', role: 'alert' });
    fault.hidden = true;
    const buttons = [
      ['approve', 'check', 'primary'], ['reject', 'close', 'grave'],
    ].map(([decision, symbol, look]) => h('button', {
      type: 'button', class: `button ${look}`, 'data-act': decision, 'aria-label':
        `${translate(`mapping_day.${decision}`)}: ${day.title}`,
      onclick: () => {
        if (!isBusy(buttons[0])) whileBusy(buttons, () => this.decide(day, decision, reason, fault, element));
      },
    }, icon(symbol), translate(`mapping_day.${decision}`)));
    const element = h('li', { class: 'fact-section', 'data-id': day.id },
      h('h3', {}, h('a', { href: `/mapping-days/${day.id}` }, h('bdi', {}, day.title))),
      h('p', {}, whenWords(day), day.organiser && [' · ', h('bdi', {}, day.organiser)]),
      h('p', { class: 'day-words' }, day.purpose), map.element,
      h('p', {}, [
        kindsWords(day), plural('mapping_day.people', day.maximum), day.languages.map(languageName).join(', '),
        day.meeting_point && [translate('mapping_day.meeting'), day.meeting_point.words].filter(Boolean).join(': '),
      ].filter(Boolean).join(' · ')),
      h('div', { class: 'field' },
        h('label', { class: 'field-label', for: reason.id }, translate('mapping_day.decision.reason')), reason),
      fault, h('div', { class: 'decision-acts' }, ...buttons));
    this.list.append(element);
    map.start(settings);
  }

  /**
   * @param {MappingDay} day @param {string} decision @param {HTMLTextAreaElement} reason @param {HTMLElement} fault
   * @param {HTMLElement} element
   */
  async decide(day, decision, reason, fault, element) {
    const words = reason.value.trim();
    if (decision === 'reject' && !words) {
      saidIn(fault).say([translate('mapping_day.decision.missing')]);
      reason.focus();
      return;
    }
    const isDone = await steadily(saidIn(fault), () => send('POST', `${QUEUE}/${day.id}/decision`, {
      json: { decision, version: day.version, ...(words ? { reason: words } : {}) },
    }), {
      again: translate(`mapping_day.${decision}`), refused: async (refusal) => {
        if (refusal.kind !== 'overtaken' && refusal.kind !== 'stale') return false;
        await this.load(null);
        toast(refusal.message);
        return true;
      },
    });
    if (!isDone) return;
    toast(translate(`mapping_day.${decision}.done`));
    element.remove();
    this.tell();
    this.title.focus();
  }
}
