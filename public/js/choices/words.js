// @ts-check
// How choices are called, how they stand and when an answer is due, in words and with a symbol.

import { h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { has, language, plural, translate } from '../i18n.js';
import { label } from '../taxonomies.js';
import { dayOf, daysUntil } from './deadline.js';
import { dueDay, isOverdue, RUNNING, shownState } from './ledger.js';

/** @typedef {import('./ledger.js').Choice} Choice */

/** @type {Record<string, string>} */
const SYMBOLS = {
  wanted: 'draft', sent: 'send', acknowledged: 'mail', extended: 'clock', honoured: 'check', refused: 'close', overdue: 'warning', complained: 'flag', withdrawn: 'minus',
  answer: 'question',
};

/**
 * A right by its name, or a choice that is offered.
 * @param {Pick<Choice, 'kind' | 'right'>} choice
 */
export function choiceTitle({ kind, right }) {
  return right && has(`right.${right}`) ? translate(`right.${right}`) : label('choices', kind);
}

/**
 * The symbol of a state or a step.
 * @param {string} state
 */
export function stateSymbol(state) {
  return SYMBOLS[state] ?? 'question';
}

/**
 * How a choice stands, as a symbol and a word.
 * @param {import('./ledger.js').Standing} choice @param {string} today
 */
export function stateBadge(choice, today) {
  const state = shownState(choice, today);
  return h('span', { class: `choice-state choice-${state}` }, icon(stateSymbol(state)), translate(`ledger.state.${state}`));
}

/**
 * When an answer is due, from today's side; null while none is waited for.
 * @param {import('./ledger.js').Standing} choice @param {string} today
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
 * The reason of an event: a code's words, or those somebody wrote.
 * @param {string} reason
 */
export function reasonWords(reason) {
  return has(`reason.${reason}`) ? translate(`reason.${reason}`) : reason;
}

/**
 * The day of a time, as people write it.
 * @param {string} at
 */
export function dayWords(at) {
  return formatDay(dayOf(at), language()) ?? at;
}

/**
 * What is true of where a choice is kept.
 * @param {{place: string, isLasting: boolean}} ledger
 */
export function placeWords({ place, isLasting }) {
  if (place === 'account') return translate('ledger.place.account');
  return translate(isLasting ? 'ledger.place.browser' : 'ledger.place.page');
}
