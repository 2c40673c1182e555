// @ts-check
// Watches in words.

import { filterLabel } from '../filters/words.js';
import { formatCountry, formatDistance, formatList, formatPosition, locale } from '../format.js';
import { language, translate } from '../i18n.js';

/** @typedef {import('./watches.js').Watch} Watch */
/** @typedef {import('./watches.js').Area} Area */

/** Filters with one text, in which a comma separates nothing. */
const TEXTS = new Set(['q', 'operator', 'filter']);

/** @param {Area} area */
export function areaWords(area) {
  switch (area.type) {
    case 'box': return translate('watch.area.box.of', { box: area.bbox.join(', ') });
    case 'circle': return translate('watch.area.circle.of', {
      radius: formatDistance(area.radius, language()), place: formatPosition(area.center[0], area.center[1]),
    });
    case 'polygon': return translate('watch.area.polygon.of', { count: (area.coordinates[0]?.length ?? 1) - 1 });
    case 'place': return area.name ?? area.place;
    case 'country': return formatCountry(area.country, language()) ?? area.country;
    case 'device': return translate('watch.area.device');
    case 'queue': return translate('watch.area.queue');
    default: return translate('watch.area.operator.of', { operator: area.operator });
  }
}

/** @param {Watch} watch */
export function eventWords({ events }) {
  const words = formatList(events.map((event) => lowered(translate(`watch.event.${event}`))), language());
  return words.charAt(0).toLocaleUpperCase(locale(language())) + words.slice(1);
}

/**
 * With a small first letter, for the middle of a sentence.
 * @param {string} words
 */
function lowered(words) { return words.charAt(0).toLocaleLowerCase(locale(language())) + words.slice(1); }

/** @param {Watch} watch */
export function mailWords({ mail, hour, weekday, time_zone: zone }) {
  const at = { hour: `${hour}:00`, zone, day: dayName(weekday) };
  return translate(`watch.mail.${mail}.of`, at);
}

/** @param {number} weekday 1 is Monday */
export function dayName(weekday) {
  // 2024-01-01 was a Monday.
  return new Intl.DateTimeFormat(language(), { weekday: 'long', timeZone: 'UTC' })
    .format(new Date(Date.UTC(2024, 0, weekday)));
}

/** @param {Watch} watch @returns {string | null} */
export function filterWords({ filter }) {
  const words = Object.entries(filter).flatMap(([name, given]) => [given].flat()
    .flatMap((value) => (TEXTS.has(name) ? [value] : value.split(',')))
    .map((value) => filterLabel(name, value)));
  return words.length ? formatList(words, language()) : null;
}
