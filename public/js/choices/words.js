// @ts-check
// Labels and symbols for choices, their states and their due days.

import { h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { has, language, plural, translate } from '../i18n.js';
import { dayOf, daysUntil } from '../ledger/deadline.js';
import { dueDay, isOverdue, RUNNING, shownState } from '../ledger/ledger.js';
import { label } from '../taxonomies.js';

/** @typedef {import('../ledger/ledger.js').Choice} Choice */

/** @type {Record<string, string>} */
const SYMBOLS = {
  wanted: 'draft', sent: 'send', acknowledged: 'mail', extended: 'clock', honoured: 'check', refused: 'close',
  confirmed: 'check', contested: 'question',
  overdue: 'warning', complained: 'flag', withdrawn: 'minus',
  answer: 'question',
};

/**
 * The name of a right, or of an offered choice.
 * @param {Pick<Choice, 'kind' | 'right'>} choice
 */
export function choiceTitle({ kind, right }) {
  return right && has(`right.${right}`) ? translate(`right.${right}`) : label('choices', kind);
}

/**
 * Symbol of a state or a step.
 * @param {string} state
 */
export function stateSymbol(state) {
  return SYMBOLS[state] ?? 'question';
}

/**
 * Badge with the symbol and name of a state.
 * @param {import('../ledger/ledger.js').Standing} choice @param {string} today
 */
export function stateBadge(choice, today) {
  const state = shownState(choice, today);
  return h('span', { class: `choice-state choice-${state}` }, icon(stateSymbol(state)),
    translate(`ledger.state.${state}`));
}

/**
 * Due day of an answer relative to today; null if no answer is pending.
 * @param {import('../ledger/ledger.js').Standing} choice @param {string} today
 */
export function dueWords(choice, today) {
  const due = dueDay(choice);
  if (!due || !RUNNING.includes(choice.state)) return null;
  const days = daysUntil(due, today);
  const day = formatDay(due, language()) ?? due;
  if (isOverdue(choice, today)) return plural('ledger.late', -days, { day });
  return days === 0 ? translate('ledger.due_today', { day }) : plural('ledger.due_in', days, { day });
}

/**
 * Reason of an event: the label of a code, or free text.
 * @param {string} reason
 */
export function reasonWords(reason) {
  return has(`reason.${reason}`) ? translate(`reason.${reason}`) : reason;
}

/**
 * The formatted day of a time.
 * @param {string} at
 */
export function dayWords(at) {
  return formatDay(dayOf(at), language()) ?? at;
}

/**
 * The name of a language in the language of the page.
 * @param {string} code
 */
export function languageName(code) {
  try {
    return new Intl.DisplayNames([language()], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/**
 * Describes the place where a choice is stored.
 * @param {{place: string, isLasting: boolean}} ledger
 */
export function placeWords({ place, isLasting }) {
  if (place === 'account') return translate('ledger.place.account');
  return translate(isLasting ? 'ledger.place.browser' : 'ledger.place.page');
}
