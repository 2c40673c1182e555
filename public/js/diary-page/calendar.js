// @ts-check
// The calendar of the diary: a cell for each day, darker where more devices were passed, with the number in it.

import { countOf, dayBefore, startOf } from '../diary/diary.js';
import { h } from '../dom.js';
import { formatDay, formatNumber, locale } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { heatColour, heatSteps } from '../map/heat.js';

/** @typedef {import('../diary/diary.js').Diary} Diary */

const MOST_WEEKS = 54;

/**
 * @param {Diary} diary @param {string} today ISO day @param {(day: string) => void} choose
 */
export function calendar(diary, today, choose) {
  const days = Object.keys(diary.days).sort();
  const counts = new Map(days.map((day) => [day, countOf(diary, diary.days[day].passes).devices]));
  const last = startOf(days[days.length - 1] > today ? days[days.length - 1] : today, 'week');
  let first = startOf(days[0], 'week');
  const oldest = dayBefore(last, 7 * (MOST_WEEKS - 1));
  if (first < oldest) first = oldest;
  const steps = heatSteps(Math.max(1, ...counts.values()));
  /** @type {HTMLElement[]} */
  const rows = [];
  for (let week = last; week >= first; week = dayBefore(week, 7)) {
    rows.push(h('tr', {}, h('th', { scope: 'row' }, shortDay(week)), ...Array.from({ length: 7 }, (_, i) => {
      const day = dayBefore(week, -i);
      return h('td', {}, cell(day, counts.get(day), steps, choose));
    })));
  }
  return h('div', { class: 'wide-table diary-calendar', tabindex: '0', role: 'region', 'aria-labelledby': 'calendar' },
    h('table', {},
      h('caption', { class: 'visually-hidden' }, translate('diary.calendar')),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' },
        h('span', { class: 'visually-hidden' }, translate('diary.calendar.week'))),
        ...weekdays().map((name) => h('th', { scope: 'col', abbr: name, title: name }, name.slice(0, 3))))),
      h('tbody', {}, ...rows)));
}

/**
 * @param {string} day @param {number | undefined} count @param {number[]} steps @param {(day: string) => void} choose
 */
function cell(day, count, steps, choose) {
  if (count === undefined) {
    return h('span', { class: 'day' }, h('span', { class: 'visually-hidden' }, translate('diary.calendar.nothing')));
  }
  const level = count ? heatColour(count, steps) + 1 : 0;
  return h('button', {
    type: 'button', class: `day level-${level}`, 'data-day': day,
    'aria-label': `${formatDay(day, language())}: ${plural('exposure.devices', count)}`, onclick: () => choose(day),
  }, formatNumber(count, language()));
}

/** @param {string} day ISO */
function shortDay(day) {
  return new Intl.DateTimeFormat(locale(language()), { day: 'numeric', month: 'short', timeZone: 'UTC' })
    .format(new Date(`${day}T12:00:00Z`));
}

/** The names of the days of a week, from Monday. */
function weekdays() {
  const format = new Intl.DateTimeFormat(locale(language()), { weekday: 'long', timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, i) => format.format(new Date(Date.UTC(2024, 0, 1 + i))));
}
