// @ts-check
// The figures of a mapping day: devices added, confirmed and photographed, a bar for each hour, and counts by kind.

import { fill, h } from '../dom.js';
import { formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { label } from '../taxonomies.js';
import { hoursOf, KINDS } from './days.js';
import { hourWords } from './words.js';

/** @typedef {import('./days.js').MappingDay} MappingDay */
/** @typedef {import('./days.js').Progress} Progress */

export class DayFigures {
  /** @param {MappingDay} day */
  constructor(day) {
    this.day = day;
    this.counts = h('dl', { class: 'day-counts' });
    this.hours = h('tbody', {});
    this.kinds = h('tbody', {});
    this.teams = h('tbody', {});
    this.element = h('div', { class: 'stack' }, this.counts,
      table('mapping_day.hours', 'mapping_day.hour', this.hours),
      table('mapping_day.by_kind', 'mapping_day.kind', this.kinds),
      day.teams.length > 0 && table('mapping_day.by_team', 'mapping_day.team', this.teams),
      day.teams.length > 0 && h('p', { class: 'field-note' }, translate('mapping_day.by_team.note')));
    /** @type {Progress | null} */
    this.progress = null;
  }

  /** @param {Progress} progress */
  show(progress) {
    this.progress = progress;
    fill(this.counts, ...KINDS.map((kind) => h('div', { 'data-count': kind },
      h('dt', {}, translate(`mapping_day.count.${kind}`)), h('dd', {}, number(progress[kind])))));
    rows(this.hours, hoursOf(this.day, progress, Date.now()).map(({ at, count }) => (
      [hourWords(at, this.day.time_zone), count])));
    rows(this.kinds, progress.categories.map(({ category, count }) => [label('categories', category), count]));
    rows(this.teams, progress.teams.map(({ name, contributions, people }) => [
      people === null ? name : `${name} (${plural('mapping_day.members', people)})`, contributions]));
  }

  /** Counts a new device from the stream until the next answer has all figures. */
  countAdded() {
    if (this.progress) this.show({ ...this.progress, added: this.progress.added + 1 });
  }
}

/** @param {number} count */
function number(count) { return formatNumber(count, language()); }

/** @param {string} title @param {string} head @param {HTMLElement} body */
function table(title, head, body) {
  return h('table', { class: 'day-bars' }, h('caption', {}, translate(title)),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, translate(head)),
      h('th', { scope: 'col' }, translate('mapping_day.contributions')))), body);
}

/** @param {HTMLElement} body @param {[string, number | null][]} values a name and its number; null: not shown */
function rows(body, values) {
  const most = Math.max(1, ...values.map(([, count]) => Number(count)));
  fill(body, ...values.map(([name, count]) => {
    const bar = h('span', { class: 'day-bar', 'aria-hidden': 'true' });
    bar.style.width = `${Number(count) / most * 100}%`;
    return h('tr', {}, h('th', { scope: 'row' }, h('bdi', {}, name)),
      h('td', {}, h('span', { class: 'day-bar-room' }, bar),
        h('span', {}, count === null ? '–' : number(count))));
  }));
}
