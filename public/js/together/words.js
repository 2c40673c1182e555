// @ts-check
// Words about requests that people make together.

import { formatDay, formatNumber } from '../format.js';
import { has, language, plural, translate } from '../i18n.js';
import { daysUntil } from '../ledger/deadline.js';
import { label } from '../taxonomies.js';
import { stateOf } from './common.js';

/** @typedef {import('./common.js').Common} Common */

/**
 * The name of the requested right or offer.
 * @param {Pick<Common, 'kind' | 'right'>} common
 */
export function askedWords({ kind, right }) {
  return right && has(`right.${right}`) ? translate(`right.${right}`) : label('choices', kind);
}

/** @param {Pick<Common, 'people' | 'place'>} common */
export function peopleWords({ people, place }) {
  if (people === null) return translate('together.few');
  const count = formatNumber(people, language());
  return place ? translate('together.people.in', { count, place: place.name })
    : translate('together.people', { count });
}

/**
 * The countdown to the deadline.
 * @param {Common} common @param {string} today ISO 8601
 */
export function countdownWords(common, today) {
  const due = common.due_on;
  if (!due) return translate('together.gathering');
  const day = formatDay(due, language()) ?? due;
  const days = daysUntil(due, today);
  if (stateOf(common, today) === 'over') return translate('together.over', { day });
  return days === 0 ? translate('together.due_today', { day }) : plural('together.due_in', days, { day });
}
