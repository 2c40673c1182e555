// @ts-check
// Requests for visits as moderators see them: the queues by area, how long requests wait, and a way to withdraw one.

import { connection, isAbort, latestOnly, Outage, send } from '../api.js';
import { lateName, nameOf, withName } from '../devices/late-name.js';
import { askText } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { formatDay, formatNumber } from '../format.js';
import { selectField } from '../forms/fields.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { language, plural, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { trouble } from '../page/trouble.js';

/** @typedef {import('../visits/visits.js').Visit & {waiting_seconds: number}} QueuedVisit */
/**
 * @typedef {{cell: string, box: import('../types').Box, requests: number, longest_wait_seconds: number,
 *   volunteers: number | null}} Zone `volunteers`: null below ten
 */

const STATES = ['waiting', 'offered', 'open', 'accepted', 'planned', 'done', 'closed'];
const COLUMNS = ['visits.zone', 'visits.requests', 'visits.longest', 'visits.volunteers'];
const HOUR = 3_600; // seconds
const LONGEST = 500; // characters of a reason

/** @param {number} seconds */
export function waitWords(seconds) {
  if (seconds < HOUR) return plural('visits.minutes', Math.round(seconds / 60));
  if (seconds < 48 * HOUR) return plural('visits.hours', Math.round(seconds / HOUR));
  return plural('visits.days', Math.round(seconds / (24 * HOUR)));
}

export class VisitQueue {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.latest = latestOnly();
    /** @type {QueuedVisit[]} */
    this.found = [];
    /** @type {string | null} */
    this.next = null;
    this.state = selectField({
      name: 'state', label: translate('visits.state'), value: '',
      options: [['', translate('visits.all_states')],
        ...STATES.map((code) => /** @type {[string, string]} */ ([code, translate(`visit.state.${code}`)]))],
    });
    this.state.control.addEventListener('change', () => this.load());
    this.counts = h('p', { class: 'section-note' });
    this.zones = h('div', {});
    this.status = h('p', { class: 'section-note', role: 'status' });
    this.list = h('ul', { class: 'account-list' });
    this.foot = h('div', {});
    this.heading = h('h2', { tabindex: '-1' }, translate('visits.queue'));
    fill(place, this.heading, this.counts, this.zones, this.state.element, this.status, this.list, this.foot);
    this.load();
  }

  /** @param {boolean} [isMore] @returns {Promise<void>} */
  async load(isMore = false) {
    const query = new URLSearchParams();
    if (this.state.value()) query.set('state', this.state.value());
    if (isMore && this.next) query.set('cursor', this.next);
    try {
      const answer = await this.latest(`/api/moderation/visits?${query}`);
      this.found = isMore ? [...this.found, ...answer.visits] : answer.visits;
      this.next = answer.next;
      this.draw(answer.counts, answer.zones);
    } catch (error) {
      if (isAbort(error)) return undefined;
      if (error instanceof Outage) return connection.recovered().then(() => this.load(isMore));
      this.status.textContent = trouble(error);
    }
    return undefined;
  }

  /** @param {Record<string, number>} counts @param {Zone[]} zones */
  draw(counts, zones) {
    this.counts.textContent = STATES.map((state) => (
      `${translate(`visit.state.${state}`)}: ${formatNumber(counts[state] ?? 0, language())}`)).join(' · ');
    fill(this.zones, zones.length > 0 && zoneTable(zones));
    this.status.textContent = this.found.length
      ? plural('visits.queued', this.found.length) : translate('visits.none_queued');
    fill(this.list, ...this.found.map((visit) => this.row(visit)));
    fill(this.foot, this.next && h('button', {
      type: 'button', class: 'button', onclick: () => this.load(true),
    }, translate('order.more')));
  }

  /** @param {QueuedVisit} visit */
  row(visit) {
    const { device } = visit;
    return h('li', { class: 'fact-section', 'data-id': visit.id },
      h('h3', {}, device ? h('a', { class: 'said', href: `/devices/${device.id}` }, lateName(device))
        : translate('visit.device_gone')),
      h('dl', { class: 'facts' },
        fact('visits.state', translate(`visit.state.${visit.state}`)),
        fact('visit.why', translate(`visit.reason.${visit.reason}`)),
        fact('visits.asked', formatDay(visit.asked_at, language()) ?? ''),
        fact('visits.waiting', waitWords(visit.waiting_seconds)),
        fact('visits.volunteers_asked', formatNumber(visit.offers, language())),
        visit.outcome && fact('visits.outcome', translate(`visit.outcome.${visit.outcome}`)),
        visit.closed_because && fact('visits.outcome', translate(`visit.closed.${visit.closed_because}`))),
      !['done', 'closed'].includes(visit.state) && h('div', { class: 'decision-acts' },
        this.withdrawButton(visit)));
  }

  /** @param {QueuedVisit} visit */
  withdrawButton(visit) {
    const words = translate('visit.withdraw');
    const button = h('button', {
      type: 'button', class: 'button grave', 'aria-label': `${words}: ${translate('visit.device_gone')}`,
      onclick: () => this.withdraw(visit),
    }, icon('close'), words);
    if (visit.device) withName(visit.device, (name) => button.setAttribute('aria-label', `${words}: ${name}`));
    return button;
  }

  /** @param {QueuedVisit} visit */
  async withdraw(visit) {
    const name = visit.device ? await nameOf(visit.device) : translate('visit.device_gone');
    const reason = await askText({
      title: translate('visits.withdraw.title', { name }), label: translate('order.reason'),
      yes: translate('visit.withdraw'), no: translate('form.cancel'), longest: LONGEST, look: 'grave',
    });
    if (!reason) return;
    const address = `/api/moderation/visits/${encodeURIComponent(visit.id)}/withdraw`;
    const isDone = await steadily(saidOver(this.heading), () => send('POST', address, { json: { reason } }), {
      again: translate('visit.withdraw'),
    });
    if (isDone) toast(translate('visit.withdrawn'));
    await this.load();
    this.heading.focus();
  }
}

/** @param {string} key @param {string} words */
function fact(key, words) { return h('div', {}, h('dt', {}, translate(key)), h('dd', {}, words)); }

/** @param {Zone[]} zones */
function zoneTable(zones) {
  return h('div', { class: 'table-holder visit-zones', tabindex: '0', role: 'group', 'aria-labelledby': 'visit-zones' },
    h('table', { class: 'is-stacked' },
      h('caption', { id: 'visit-zones' }, translate('visits.zones')),
      h('thead', {}, h('tr', {}, ...COLUMNS.map((key) => h('th', { scope: 'col' }, translate(key))))),
      h('tbody', {}, ...zones.map(({ box, requests, longest_wait_seconds: longest, volunteers }) => h('tr', {}, ...[
        zoneLink(box), formatNumber(requests, language()), waitWords(longest),
        volunteers === null ? translate('visits.few') : formatNumber(volunteers, language()),
      ].map((value, place) => h('td', { 'data-title': translate(COLUMNS[place]) }, h('span', {}, value))))))));
}

/** @param {import('../types').Box} box */
function zoneLink([west, south, east, north]) {
  const [longitude, latitude] = [(west + east) / 2, (south + north) / 2].map((edge) => edge.toFixed(3));
  return h('a', { class: 'visit-zone', href: `/#map=12.00/${latitude}/${longitude}` }, `${latitude}, ${longitude}`);
}
