// @ts-check
// State of the instance at a glance.

import { connection, getJSON, Outage } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { formatDay, formatNumber, locale } from '../format.js';
import { has, language, plural, translate } from '../i18n.js';
import { moment } from '../moderation/detail.js';
import { trouble } from '../page/trouble.js';
import { ago, bars, bytes, formatMonth } from './figures.js';
import { queued, waitingOf, zerosLast } from './waiting.js';

/** @typedef {{day?: string, month?: string, count: number}} Step */
/** @typedef {{per_day?: Step[], per_month?: Step[]}} Growth */
/** @typedef {{open?: number, oldest_at?: string | null, by_kind?: Record<string, number>}} Queue */
/** @typedef {{waiting?: number, failed?: number, oldest_at?: string | null, destination?: string}} Mail */
/** @typedef {{waiting?: number, failed?: number}} Jobs */
/** @typedef {{count: number, last_at: string | null, failure: string | null, findings?: string[]}} Backups */
/** @typedef {{code: string, due: number, last_at: string | null, erased: number | null}} RetentionRule */
/** @typedef {{id: number, file: string | null, state: string, started_at: string | null}} LatestImport */
/** @typedef {{at: string, message: string, count: number}} RecentError */
/**
 * @typedef {object} Found response of `GET /api/admin/overview`
 * @property {Growth & {by_status?: Record<string, number>, by_state?: Record<string, number>}} [devices]
 * @property {Growth & {by_state?: Record<string, number>}} [accounts]
 * @property {Queue} [queue]
 * @property {Mail} [mail]
 * @property {Record<string, number>} [storage] sizes in bytes by name
 * @property {Jobs} [jobs]
 * @property {Backups | null} backups
 * @property {RetentionRule[]} [retention]
 * @property {LatestImport[]} [imports]
 * @property {RecentError[]} [errors]
 */

export class Overview {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    fill(place, h('p', { role: 'status' }, translate('page.loading')));
    this.load();
  }

  async load() {
    try {
      this.draw(.../** @type {[Found, import('./waiting.js').Queues]} */ (
        await Promise.all([getJSON('/api/admin/overview'), queues()])));
    } catch (error) {
      fill(this.place, h('p', { role: 'alert' }, trouble(error)),
        h('button', { type: 'button', class: 'button', onclick: () => this.load() }, translate('outage.retry')));
      if (error instanceof Outage && connection.reach !== 'fine') connection.recovered().then(() => this.load());
    }
  }

  /** @param {Found} found @param {import('./waiting.js').Queues} others */
  draw(found, others) {
    const waiting = waitingOf(found, others);
    const waits = new Set(waiting.map(({ code }) => code));
    /** @type {[string, HTMLElement, boolean][]} code, card, and whether it has nothing to show */
    const cards = [
      ['queue', card('admin.queue', this.queue(found.queue ?? {})), !queued(found.queue)],
      ['mail', card('admin.mail', this.mail(found.mail ?? {})), !found.mail?.waiting],
      ['jobs', card('admin.jobs', this.jobs(found.jobs ?? {})), !found.jobs?.waiting],
      ['backups', card('admin.backups', this.backups(found.backups)), !found.backups],
      ['errors', card('admin.errors', this.errors(found.errors ?? [])), !found.errors?.length],
      ['devices', card('admin.devices', states(found.devices?.by_status ?? found.devices?.by_state),
        ...growth(found.devices, 'admin.devices')), false],
      ['people', card('admin.people', states(found.accounts?.by_state), ...growth(found.accounts, 'admin.people')),
        false],
      ['imports', card('admin.imports.latest', this.imports(found.imports ?? [])), !found.imports?.length],
      ['storage', card('admin.storage', this.storage(found.storage ?? {})), false],
      ['retention', card('admin.retention', this.retention(found.retention ?? [])), false],
    ];
    const rank = (/** @type {[string, HTMLElement, boolean]} */ [code, , isEmpty]) => (
      waits.has(code) ? 0 : isEmpty ? 2 : 1);
    for (const [code, element] of cards) element.id = `admin-${code}`;
    fill(this.place, waitingPart(waiting), h('div', { class: 'cards' },
      ...cards.sort((one, other) => rank(one) - rank(other)).map(([, element]) => element)));
  }

  /** @param {Queue} queue */
  queue(queue) {
    const { oldest_at: oldest } = queue;
    return [figure(queued(queue), translate('admin.queue.open')),
      h('p', {}, oldest && queued(queue)
        ? translate('admin.queue.oldest', { age: ago(oldest, Date.now(), locale(language())) })
        : translate('order.empty')),
      h('p', {}, h('a', { href: '/moderation' }, translate('admin.queue.go')))];
  }

  /** @param {Mail} mail */
  mail({ waiting, failed, oldest_at: oldest, destination }) {
    return [figure(waiting ?? 0, translate('admin.mail.waiting')),
      failed
        ? h('p', { class: 'is-bad' }, icon('warning'),
          translate('admin.mail.failed', { count: formatNumber(failed, language()) }))
        : null,
      oldest && h('p', {}, translate('admin.queue.oldest', { age: ago(oldest, Date.now(), locale(language())) })),
      destination === 'folder' && h('p', { class: 'section-note' }, translate('admin.mail.folder'))];
  }

  /** @param {Record<string, number>} storage sizes in bytes by name */
  storage(storage) {
    return [
      h('dl', { class: 'facts' },
        ...Object.entries(storage).filter(([, size]) => typeof size === 'number').map(([name, size]) => h('div', {},
          h('dt', {}, words(`admin.storage.${name}`, name)), h('dd', {}, bytes(size, locale(language())))))),
    ];
  }

  /** @param {Jobs} jobs */
  jobs({ waiting, failed }) {
    return [figure(waiting ?? 0, translate('admin.jobs.waiting')),
      failed
        ? h('p', { class: 'is-bad' }, icon('warning'),
          translate('admin.jobs.failed', { count: formatNumber(failed, language()) }))
        : h('p', {}, translate('admin.jobs.fine'))];
  }

  /** @param {Backups | null} backups */
  backups(backups) {
    if (!backups) return [h('p', {}, translate('admin.backups.off'))];
    const { count, last_at: last, failure, findings = [] } = backups;
    return [figure(count, translate('admin.backups.count')),
      h('p', {}, last
        ? translate('admin.backups.last', { age: ago(last, Date.now(), locale(language())) })
        : translate('admin.backups.none')),
      failure && h('p', { class: 'is-bad' }, icon('warning'), translate('admin.backups.failed', { reason: failure })),
      findings.length ? h('div', {}, h('p', { class: 'is-bad' }, icon('warning'), translate('admin.backups.findings')),
        h('ul', { class: 'points' }, ...findings.map((finding) => h('li', {}, h('code', {}, finding))))) : null];
  }

  /** @param {RetentionRule[]} rules */
  retention(rules) {
    const quiet = rules.filter((rule) => rule.last_at && !rule.erased && !rule.due);
    const others = rules.filter((rule) => !quiet.includes(rule));
    return [this.rules(others), quiet.length > 0 && h('details', {},
      h('summary', {}, plural('admin.retention.quiet', quiet.length)), this.rules(quiet))];
  }

  /** @param {RetentionRule[]} rules */
  rules(rules) {
    return h('dl', { class: 'facts' }, ...rules.map((rule) => h('div', {},
      h('dt', {}, words(`admin.retention.rule.${rule.code}`, rule.code)),
      h('dd', {}, rule.last_at
        ? translate('admin.retention.erased', {
          count: formatNumber(rule.erased ?? 0, language()), age: ago(rule.last_at, Date.now(), locale(language())),
        })
        : translate('admin.retention.never'),
      rule.due
        ? h('p', { class: 'is-bad' }, icon('warning'),
          translate('admin.retention.due', { count: formatNumber(rule.due, language()) }))
        : null))));
  }

  /** @param {LatestImport[]} imports */
  imports(imports) {
    if (!imports.length) return [h('p', {}, translate('admin.imports.none'))];
    return [
      h('ul', { class: 'points' },
        ...imports.slice(0, 5).map((run) => h('li', {},
          h('a', { href: `/admin/imports/${run.id}` }, h('bdi', {}, run.file ?? `#${run.id}`)), ' · ',
          words(`admin.imports.state.${run.state}`, run.state), ' · ', run.started_at ? moment(run.started_at) : ''))),
    ];
  }

  /** @param {RecentError[]} errors */
  errors(errors) {
    if (!errors.length) return [h('p', {}, translate('admin.errors.none'))];
    return [
      h('ul', { class: 'points' },
        ...errors.map((error) => h('li', {}, moment(error.at), ' · ', h('code', {}, error.message),
          error.count > 1 ? ` ×${error.count}` : ''))),
    ];
  }
}

/** @param {import('./waiting.js').Waiting[]} waiting */
function waitingPart(waiting) {
  return h('section', { class: 'fact-section admin-waiting', 'aria-labelledby': 'admin-waiting' },
    h('h2', { id: 'admin-waiting' }, translate('admin.waiting')),
    waiting.length === 0 ? h('p', {}, translate('admin.waiting.none'))
      : h('ul', { class: 'points' }, ...waiting.map(({ code, count, href }) => h('li', {},
        h('a', { href }, plural(`admin.waiting.${code}`, count))))));
}

/**
 * Sizes of the queues that are not part of the overview. A queue that does not answer counts as empty.
 * @returns {Promise<import('./waiting.js').Queues>}
 */
async function queues() {
  const count = (/** @type {string} */ path, /** @type {(answer: any) => number} */ size) => (
    getJSON(path).then(size, () => 0));
  const [organisations, research, claims] = await Promise.all([
    count('/api/admin/operators?state=waiting&limit=1', ({ counts }) => counts?.waiting ?? 0),
    count('/api/admin/research-access?state=waiting&limit=1', ({ counts }) => counts?.waiting ?? 0),
    count('/api/moderation/operator-claims', (answer) => answer.claims?.length ?? 0),
  ]);
  return { organisations, research, claims };
}

/** @param {string} key @param {string} otherwise */
function words(key, otherwise) { return has(key) ? translate(key) : otherwise; }

/** @param {string} title @param {...(import('../dom.js').Child | import('../dom.js').Child[])} children */
function card(title, ...children) {
  return h('section', { class: 'fact-section' }, h('h2', {}, translate(title)), ...children.flat());
}

/** @param {number} number @param {string} what */
function figure(number, what) {
  return h('p', { class: 'figure' }, h('strong', {}, formatNumber(number, language())), ' ', what);
}

/** @param {Record<string, number> | undefined} counts */
function states(counts) {
  if (!counts) return null;
  return h('dl', { class: 'facts' }, ...zerosLast(counts).map(([name, count]) => h('div', {},
    h('dt', {}, words(`admin.state.${name}`, name)), h('dd', {}, formatNumber(count, language())))));
}

/**
 * Series of the last days and of the last months.
 * @param {Growth | undefined} counts @param {string} title
 */
function growth(counts, title) {
  return [series(counts?.per_day, `${title}.per_day`), series(counts?.per_month, `${title}.per_month`)];
}

/**
 * Bar chart, with the same numbers as a table. One bar says no more than a sentence, so it is one.
 * @param {Step[] | undefined} steps @param {string} title
 */
function series(steps, title) {
  if (!steps?.length) return null;
  const counts = steps.map((step) => step.count);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const words = plural(title, total);
  const filled = steps.filter(({ count }) => count > 0);
  if (filled.length < 2) {
    return h('p', { class: 'series' }, filled.length ? `${words} (${stepWords(filled[0])})` : words);
  }
  const chart = h('div', { class: 'bars', 'aria-hidden': 'true' });
  for (const share of bars(counts)) {
    const bar = h('span', {});
    bar.style.height = `${share * 100}%`;
    chart.append(bar);
  }
  return h('figure', { class: 'series' }, h('figcaption', {}, words), chart,
    h('div', { class: 'bars-ends', 'aria-hidden': 'true' },
      ...[steps[0], steps[steps.length - 1]].map((step) => h('span', {}, endWords(step)))),
    h('details', {}, h('summary', {}, translate('admin.as_table')),
      h('table', {},
        h('tbody', {},
          ...steps.map((step) => h('tr', {}, h('th', { scope: 'row' }, stepWords(step)),
            h('td', {}, formatNumber(step.count, language()))))))));
}

/** @param {Step} step */
function stepWords({ day, month }) {
  return day ? formatDay(day, language()) ?? day : formatMonth(month ?? '', locale(language()));
}

/**
 * Short form of the date, for the two ends of a chart.
 * @param {Step} step
 */
function endWords(step) {
  if (!step.day) return stepWords(step);
  return new Intl.DateTimeFormat(locale(language()), { day: 'numeric', month: 'short', timeZone: 'UTC' })
    .format(new Date(step.day));
}
