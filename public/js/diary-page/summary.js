// @ts-check
// The devices passed in a period: the sentence, the counts, the places that collect most, and the requests.

import { countOf, during, momentsOf, periodsOf, placesOf } from '../diary/diary.js';
import { shownName } from '../devices/name.js';
import { marker } from '../devices/terms.js';
import { h, icon, iconButton } from '../dom.js';
import { openRequests } from '../exposure/ask.js';
import { categoryList, categoryWords, kindBars, operatorList } from '../exposure/figures.js';
import { segments } from '../fields/segments.js';
import { formatDate, formatDay, formatDistance, formatDuration, formatList } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { categoryIcon, familyOf } from '../taxonomies.js';

/** @typedef {import('../diary/diary.js').Diary} Diary */
/** @typedef {import('../diary/diary.js').Period} Period */
/** @typedef {import('../diary/passes.js').Pass} Pass */
/** @typedef {import('../exposure/count.js').Count} Count */

const PLACES = 10;

/**
 * @param {Diary} diary
 * @param {{period: Period, start: string}} shown
 * @param {(shown: {period: Period, start: string}) => void} show
 */
export function summary(diary, { period, start }, show) {
  const periods = periodsOf(diary, period);
  const place = Math.max(0, periods.indexOf(start));
  const now = periods[place];
  const { passes, metres } = during(diary, period, now);
  const count = countOf(diary, passes);
  /** @type {(symbol: string, name: 'earlier' | 'later', to: string | undefined) => HTMLElement} */
  const step = (symbol, name, to) => iconButton(symbol, translate(`diary.${name}`), {
    class: 'framed', disabled: to === undefined, 'data-act': name,
    onclick: () => { if (to !== undefined) show({ period, start: to }); },
  });
  return h('section', { class: 'paper', 'aria-labelledby': 'summary' },
    segments({
      legend: translate('diary.period'), legendLook: 'visually-hidden', id: 'period', name: 'period', chosen: period,
      options: /** @type {const} */ (['day', 'week', 'month', 'year'])
        .map((value) => ({ value, words: translate(`diary.period.${value}`) })),
      choose: (value) => show({ period: value, start: '' }),
    }).element,
    h('div', { class: 'diary-head' },
      step('left', 'earlier', periods[place + 1]),
      h('h2', { id: 'summary', tabindex: '-1' }, periodWords(period, now)),
      step('right', 'later', place > 0 ? periods[place - 1] : undefined)),
    h('p', { class: 'diary-sentence' }, sentence(count, metres)),
    count.devices > 0 && h('div', { class: 'diary-columns' },
      h('div', {}, h('h3', {}, translate('exposure.by_kind')), kindBars(count)),
      h('div', {}, h('h3', {}, translate('exposure.by_category')), categoryList(count)),
      h('div', {}, h('h3', {}, translate('exposure.by_operator')), operatorList(count))),
    count.operators.length > 0 && h('div', { class: 'form-acts' }, requestButton(diary, passes, count)),
    count.devices > 0 && h('h3', {}, translate('diary.places')),
    count.devices > 0 && placeList(diary, passes));
}

/** @param {Count} count @param {number} metres */
function sentence(count, metres) {
  const way = formatDistance(metres, language());
  if (!count.devices) return translate('diary.sentence.none', { distance: way });
  const devices = formatList(categoryWords(count), language());
  const more = count.devices - count.categories.slice(0, 3).reduce((sum, one) => sum + one.count, 0);
  return [
    translate('diary.sentence', { devices, distance: way }),
    more > 0 && plural('diary.sentence.more', more),
    count.operators.length > 0 && plural('diary.sentence.operators', count.operators.length),
  ].filter(Boolean).join(' ');
}

/** @param {Diary} diary @param {Pass[]} passes @param {Count} count */
function requestButton(diary, passes, count) {
  const all = count.operators.map(({ operator, devices }) => {
    const moments = momentsOf(diary, passes, operator);
    const [{ device }] = moments;
    const { name, category } = diary.devices[device];
    // A letter is about one device: the times of the others belong to other letters.
    return {
      operator, device, name, category, count: devices.length,
      moments: moments.filter((one) => one.device === device),
    };
  });
  return h('button', {
    type: 'button', class: 'button primary', 'data-act': 'ask', 'aria-haspopup': 'dialog',
    onclick: () => openRequests(all),
  }, icon('mail'), plural('diary.ask', Math.min(3, all.length)));
}

/** @param {Diary} diary @param {Pass[]} passes */
function placeList(diary, passes) {
  return h('ol', { class: 'diary-places' }, ...placesOf(diary, passes, PLACES).map((place) => {
    const { device, category, name, devices, passes: count, seconds } = place;
    const shown = shownName({ .../** @type {any} */ ({ operator: {}, properties: {} }), name, category }, null);
    return h('li', {}, marker(categoryIcon(category), 'confirmed', familyOf(category)),
      h('div', {}, h('a', { href: `/devices/${device}`, class: 'said', dir: 'auto' }, shown || name),
        h('p', { class: 'watch-facts' }, ...[
          devices > 1 && plural('diary.place.devices', devices), plural('diary.place.passes', count),
          seconds >= 60 && formatDuration(`PT${Math.round(seconds / 60)}M`, language()),
        ].map((fact) => fact && h('span', {}, fact)))));
  }));
}

/** @param {Period} period @param {string} start ISO day */
function periodWords(period, start) {
  if (period === 'week') return translate('diary.week_of', { day: formatDay(start, language()) ?? start });
  const text = { day: start, month: start.slice(0, 7), year: start.slice(0, 4) }[period];
  return formatDate(text, language()) ?? start;
}
