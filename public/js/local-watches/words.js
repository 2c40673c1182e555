// @ts-check
// Describes watches and their news in words.

import { filterLabel } from '../filters/words.js';
import { formatDay, formatDistance, formatList, formatTime, locale } from '../format.js';
import { distance, middleOf } from '../geography.js';
import { language, plural, translate } from '../i18n.js';

/** @typedef {import('./area.js').Area} Area */
/** @typedef {import('../state.js').Filters} Filters */

const DAY = 86_400_000; // milliseconds

/** @param {Area} area */
export function areaWords(area) {
  switch (area.type) {
    case 'circle':
      return translate('local_watch.area.circle', { radius: formatDistance(area.radius, language()) });
    case 'polygon': return translate('local_watch.area.polygon', { count: area.corners.length });
    case 'place': return translate('local_watch.area.place', { place: area.name });
    default: return translate('local_watch.area.box', sizeOf(area.box));
  }
}

/** @param {import('../types').Box} box */
function sizeOf([west, south, east, north]) {
  const [x, y] = middleOf([west, south, east, north]);
  // Half the width: the way around the earth may be shorter than a wide box.
  const width = 2 * distance([west, y], [x, y]);
  return {
    width: formatDistance(width, language()), height: formatDistance(distance([x, south], [x, north]), language()),
  };
}

/** @param {Filters} filters */
export function filterWords(filters) {
  const words = Object.entries(filters).flatMap(([name, codes]) => codes.map((code) => filterLabel(name, code)));
  return words.length ? formatList(words, language()) : translate('local_watch.filters.none');
}

/**
 * «12 new since Tuesday», «3 new since 14:05», «1 new since 3 May 2026».
 * @param {number} count @param {number} since @param {number} [now] milliseconds since 1970
 */
export function newWords(count, since, now = Date.now()) {
  const [then, today] = [new Date(since), new Date(now)];
  const isToday = then.toDateString() === today.toDateString();
  if (isToday) return plural('local_watch.new.time', count, { time: formatTime(since, language()) });
  if (now - since < 6 * DAY) {
    const day = new Intl.DateTimeFormat(locale(language()), { weekday: 'long' }).format(then);
    return plural('local_watch.new.day', count, { day });
  }
  return plural('local_watch.new.date', count, { date: formatDay(then.toISOString(), language()) ?? '' });
}
