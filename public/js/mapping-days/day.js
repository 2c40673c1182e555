// @ts-check
// The page of one mapping day: the plan and joining before it, the live figures while it runs, and the report after it.

import { getJSON, Refusal } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { copyButton } from '../forms/copy.js';
import { formatNumber } from '../format.js';
import { embedButton } from '../embed/button.js';
import { language, plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { toast } from '../page/notices.js';
import { settings as askSettings } from '../page/start.js';
import { trouble } from '../page/trouble.js';
import { routesAddress } from '../routes/address.js';
import { whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { addressOf } from './days.js';
import { DayFigures } from './figures.js';
import { followDay } from './live.js';
import { DayMap } from './map.js';
import { organiserPart } from './organiser.js';
import { participation } from './participation.js';
import { kindsWords, languageName, peopleWords, stateChip, whenWords } from './words.js';

/** @typedef {import('./days.js').MappingDay} MappingDay */
/** @typedef {import('./days.js').Progress} Progress */
/** @typedef {import('../types').Position} Position */

/** The id in the address. */
const id = location.pathname.split('/').pop() ?? '';

class DayPage {
  /** @param {import('../page/start.js').Settings} settings @param {MappingDay} day */
  constructor(settings, day) {
    this.settings = settings;
    this.map = new DayMap(day.area, day.title);
    this.head = h('header', {});
    this.acts = h('div', { class: 'stack' });
    this.happening = h('section', { class: 'stack', 'aria-labelledby': 'day-now' });
    this.facts = h('div', { class: 'stack' });
    fill(byId('content'), h('div', { class: 'days' }, this.head, this.acts, this.map.element, this.happening,
      this.facts));
    this.show(day);
    this.map.start(settings);
    this.follow(day);
  }

  /** @param {MappingDay} day */
  show(day) {
    this.day = day;
    fill(this.head,
      h('p', {}, h('a', { class: 'day-link', href: '/mapping-days' }, icon('back'), translate('mapping_days.title'))),
      h('h1', { tabindex: '-1' }, h('bdi', {}, day.title)), h('p', {}, stateChip(day), ' ', whenWords(day)),
      day.reason && h('p', { class: 'aside-note' }, icon('info'),
        h('span', {}, translate('mapping_day.reason', { reason: day.reason }))));
    fill(this.acts, participation(day, (now) => this.changed(now)), organiserPart(day, this.settings, (now) => {
      if (now) this.changed(now);
      else location.assign('/mapping-days');
    }));
    fill(this.facts, factsOf(day), shareOf(day));
  }

  /** @param {MappingDay} day */
  changed(day) {
    this.show(day);
    /** @type {HTMLElement | null} */ (this.acts.querySelector('button, [tabindex]'))?.focus();
  }

  /**
   * Shows what happens, or happened.
   * @param {MappingDay} day
   */
  async follow(day) {
    if (day.state !== 'running' && day.state !== 'over') return;
    const figures = new DayFigures(day);
    const [change, report] = [h('div', { class: 'stack' }), h('div', { class: 'stack' })];
    fill(this.happening,
      h('h2', { id: 'day-now', tabindex: '-1' },
        translate(day.state === 'over' ? 'mapping_day.report' : 'mapping_day.live')),
      day.state === 'running' && h('p', { class: 'field-note' }, translate('mapping_day.live.note')),
      change, figures.element, report);
    try {
      const [progress, contributions] = await Promise.all([
        /** @type {Promise<Progress>} */ (getJSON(`${addressOf(id)}/progress`)),
        getJSON(`${addressOf(id)}/contributions`),
      ]);
      figures.show(progress);
      for (const { geometry, properties } of contributions.features) {
        this.map.add(properties.device, geometry.coordinates);
      }
      // An answer from before the end may be a second old.
      if (day.state === 'over' && progress.state !== 'over') setTimeout(() => this.follow(day), 1_000);
      else if (day.state === 'over') {
        fill(change, changeOf(progress));
        fill(report, reportOf(day, progress));
      }
      else followDay(day, { map: this.map, figures, ended: () => this.ended() });
    } catch (error) {
      fill(change, h('p', { role: 'alert' }, trouble(error)));
    }
  }

  async ended() {
    const day = await getJSON(addressOf(id)).catch(() => null);
    if (!day) return;
    toast(translate('mapping_day.is_over'));
    this.show(day);
    await this.follow(day);
  }
}

/** @param {MappingDay} day */
function factsOf(day) {
  const meeting = day.meeting_point;
  /** @type {[string, (Node | string)[]][]} */
  const rows = [
    ['mapping_day.purpose', [h('span', { class: 'day-words' }, day.purpose)]],
    ...(meeting ? [/** @type {[string, (Node | string)[]]} */ (['mapping_day.meeting', [
      meeting.words ? `${meeting.words} · ` : '',
      h('a', { href: `geo:${meeting.latitude},${meeting.longitude}` }, `${meeting.latitude}, ${meeting.longitude}`),
      ' · ', h('a', {
        href: routesAddress('to', [meeting.longitude, meeting.latitude],
          meeting.words ?? translate('mapping_day.meeting')),
      }, translate('routes.quiet_there'))]])]
      : []),
    ['mapping_day.kinds', [kindsWords(day)]],
    ...(day.languages.length
      ? [/** @type {[string, string[]]} */ (['mapping_day.languages', [day.languages.map(languageName).join(', ')]])]
      : []),
    ...(day.teams.length
      ? [/** @type {[string, (Node | string)[]]} */ (['mapping_day.teams', [day.teams.join(', ')]])] : []),
    ...(day.organiser ? [/** @type {[string, (Node | string)[]]} */ (['mapping_day.organiser', [
      h('a', { href: `/people/${encodeURIComponent(day.organiser)}` }, day.organiser)]])] : []),
    ['mapping_day.people.title', [peopleWords(day)]],
    ...(day.names.length
      ? [/** @type {[string, (Node | string)[]]} */ (['mapping_day.names', [day.names.join(', ')]])] : []),
  ];
  return h('section', { class: 'paper', 'aria-labelledby': 'day-facts' },
    h('h2', { id: 'day-facts' }, translate('mapping_day.facts')),
    h('dl', { class: 'day-facts' },
      ...rows.map(([key, values]) => h('div', {}, h('dt', {}, translate(key)), h('dd', {}, ...values)))));
}

/** @param {MappingDay} day */
function shareOf(day) {
  if (!['approved', 'running', 'over'].includes(day.state)) return null;
  const page = new URL(`/mapping-days/${day.id}`, location.origin).href;
  const address = h('code', { class: 'day-words' }, page);
  return h('div', { class: 'day-acts' },
    h('a', { class: 'button', href: `${addressOf(day.id)}/calendar` }, icon('clock'),
      translate('mapping_day.calendar')), copyButton(page, translate('mapping_day.copy_link'), address),
    embedButton({ title: day.title, page: () => `/?mapping_day=${day.id}`, chart: undefined }), address);
}

/** @param {Progress} progress */
function changeOf(progress) {
  const number = (/** @type {number} */ count) => formatNumber(count, language());
  return [
    progress.devices_before !== null && progress.devices_after !== null && h('p', { class: 'day-change' },
      translate('mapping_day.before_after', {
        before: number(progress.devices_before), after: number(progress.devices_after),
      })),
    h('p', {}, plural('mapping_day.devices', progress.devices), ' ',
      progress.people === null ? translate('mapping_day.people.few') : plural('mapping_day.people', progress.people)),
  ];
}

/** @param {MappingDay} day @param {Progress} progress */
function reportOf(day, progress) {
  const files = `${addressOf(day.id)}/contributions`;
  const cited = h('span', {}, progress.citation);
  return h('div', { class: 'stack' },
    progress.gone > 0 && h('p', { class: 'field-note' }, plural('mapping_day.gone', progress.gone)),
    h('div', { class: 'day-acts' },
      h('a', { class: 'button', href: files, download: `mapping-day-${day.id}.geojson` }, icon('download'),
        translate('mapping_day.download', { format: 'GeoJSON' })),
      h('a', { class: 'button', href: `${files}?f=csv`, download: `mapping-day-${day.id}.csv` }, icon('download'),
        translate('mapping_day.download', { format: 'CSV' }))),
    h('p', { class: 'field-note' }, translate('mapping_day.licence', { licence: progress.licence })),
    h('p', { class: 'day-citation' }, cited, copyButton(progress.citation, translate('mapping_day.cite'), cited)));
}

async function start() {
  await startShell();
  await scheme('categories').catch(() => null);
  await whenSession();
  try {
    const [settings, day] = await Promise.all([
      askSettings(), /** @type {Promise<MappingDay>} */ (getJSON(addressOf(id)))]);
    document.title = `${day.title} · ${instanceName()}`;
    new DayPage(settings, day);
  } catch (error) {
    const isMissing = error instanceof Refusal && error.status === 404;
    fill(byId('content'), h('div', { class: 'days' },
      h('h1', { tabindex: '-1' }, translate('mapping_days.title')), h('p', { role: 'alert' }, trouble(error)),
      isMissing && h('p', {}, h('a', { href: '/mapping-days' }, translate('mapping_day.all')))));
  }
}

start();
