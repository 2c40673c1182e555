// @ts-check
// The words of mapping days.

import { h } from '../dom.js';
import { locale } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { label } from '../taxonomies.js';

/** @typedef {import('./days.js').MappingDay} MappingDay */

/** @param {MappingDay} day */
export function stateChip({ state }) {
  const look = state === 'running' ? ' is-on' : ['rejected', 'cancelled'].includes(state) ? ' is-warning' : '';
  return h('span', { class: `chip${look}` }, translate(`mapping_day.state.${state}`));
}

/**
 * The start and the end in the time zone of the day, with the name of the zone if the reader is in another one.
 * @param {MappingDay} day
 */
export function whenWords({ starts_at: start, ends_at: end, time_zone: zone }) {
  const format = new Intl.DateTimeFormat(locale(language()), {
    dateStyle: 'full', timeStyle: 'short', timeZone: zone,
  });
  const words = format.formatRange(new Date(start), new Date(end));
  return zone === Intl.DateTimeFormat().resolvedOptions().timeZone ? words : `${words} (${zone})`;
}

/** @param {number} at milliseconds @param {string} zone */
export function hourWords(at, zone) {
  return new Intl.DateTimeFormat(locale(language()), { hour: 'numeric', minute: '2-digit', timeZone: zone }).format(at);
}

/** @param {string} code */
export function languageName(code) {
  return new Intl.DisplayNames([locale(language())], { type: 'language' }).of(code) ?? code;
}

/** @param {MappingDay} day */
export function kindsWords({ kinds }) {
  return kinds.length ? kinds.map((code) => label('categories', code)).join(', ') : translate('mapping_day.kinds.all');
}

/**
 * How many take part: the number, or that they are few.
 * @param {MappingDay} day
 */
export function peopleWords({ people, full, maximum }) {
  const taking = people === null ? translate('mapping_day.people.few') : plural('mapping_day.people', people);
  return `${taking} ${translate(full ? 'mapping_day.people.full' : 'mapping_day.people.room', { maximum })}`;
}
