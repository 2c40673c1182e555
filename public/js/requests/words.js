// @ts-check
// The state of a request for records, as text with a symbol.

import { h, icon } from '../dom.js';
import { formatDay, formatList } from '../format.js';
import { language, translate } from '../i18n.js';

/** @type {Record<string, string>} */
const SYMBOLS = {
  waiting: 'clock', accepted: 'check', refused: 'close', lapsed: 'clock', revoked: 'restore', ended: 'minus',
  withdrawn: 'minus',
};
// The same styles as similar states of choices.
/** @type {Record<string, string>} */
const LOOKS = {
  accepted: 'honoured', waiting: 'sent', refused: 'withdrawn', lapsed: 'withdrawn', revoked: 'withdrawn',
  ended: 'withdrawn', withdrawn: 'withdrawn',
};

/** @param {string} state */
export function requestBadge(state) {
  return h('span', { class: `choice-state choice-${LOOKS[state] ?? 'sent'}` }, icon(SYMBOLS[state] ?? 'question'),
    translate(`requests.state.${state}`));
}

/** @param {string[]} fields */
export function fieldWords(fields) {
  return formatList(fields.map((field) => translate(`requests.field.${field}`)), language());
}

/** @param {string | null} day */
export function dayWords(day) {
  return formatDay(day, language()) ?? '';
}

/**
 * The name of a person, or of an organisation with the account that represents it; or the text for a deleted account.
 * @param {import('./requests.js').Party | null} party
 */
export function partyName(party) {
  if (!party) return h('span', { class: 'unknown' }, translate('requests.gone'));
  const { username, organisation } = party;
  const person = username && h('a', { href: `/people/${encodeURIComponent(username)}` }, h('bdi', {}, username));
  if (!organisation) return person;
  return h('span', {}, h('bdi', {}, organisation), person && [' (', person, ')']);
}
