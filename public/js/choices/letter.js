// @ts-check
// Fills in a letter by the rules of docs/reference/rights.md. Pure. The text of the user is inserted in the
// browser, so the server never receives it for a ledger stored in the browser.

import { dayOf } from '../ledger/deadline.js';
import { dueDay } from '../ledger/ledger.js';

/** @typedef {import('../ledger/ledger.js').Choice} Choice */
/** @typedef {{subject: string, body: string}} Letter */
/** @typedef {'request' | 'remind' | 'complain'} Which */

/**
 * Fields of each letter, required ones first; the same as in seed/letters/index.json.
 * @type {Readonly<Record<string, {required: readonly string[], optional: readonly string[]}>>}
 */
export const ASKED = Object.freeze({
  access: { required: ['name'], optional: ['present_on', 'recognise', 'reply_address'] },
  rectify: { required: ['name', 'correction'], optional: ['present_on', 'recognise', 'reply_address'] },
  erase: { required: ['name'], optional: ['present_on', 'recognise', 'reason', 'reply_address'] },
  restrict: { required: ['name', 'reason'], optional: ['present_on', 'recognise', 'reply_address'] },
  portability: { required: ['name'], optional: ['present_on', 'recognise', 'other_controller', 'reply_address'] },
  object: { required: ['name', 'reason'], optional: ['present_on', 'recognise', 'reply_address'] },
  withdraw: { required: ['name'], optional: ['present_on', 'recognise', 'consent_on', 'reply_address'] },
  contest: { required: ['name', 'decision'], optional: ['present_on', 'recognise', 'view', 'reply_address'] },
  inform: { required: ['name'], optional: ['reply_address'] },
  offered: { required: ['name'], optional: ['present_on', 'recognise', 'reply_address'] },
  opt_out: { required: ['name'], optional: ['present_on', 'recognise', 'reply_address'] },
  records: { required: ['name'], optional: ['reply_address'] },
  remind: { required: ['name'], optional: ['reply_address'] },
  complain_silence: { required: ['name'], optional: ['reply_address'] },
  complain_refusal: { required: ['name'], optional: ['view', 'reply_address'] },
  complain_unfulfilled: { required: ['name'], optional: ['view', 'reply_address'] },
});

/** Fields that need more than one line. */
export const LONG_ANSWERS = Object.freeze(['reason', 'correction', 'decision', 'view', 'recognise']);
/** Letters that can be followed by a reminder or a complaint, because they claim a right. */
const FOLLOWED = Object.freeze([
  'access', 'rectify', 'erase', 'restrict', 'portability', 'object', 'withdraw', 'contest', 'inform', 'opt_out',
  'records',
]);

const PLACEHOLDER = /\{([a-z_]+)\}/g;

/** @param {string} text @returns {string[]} */
function placeholders(text) {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name);
}

/**
 * Replaces the placeholders once; placeholders inside a value are not replaced. A line with an
 * empty placeholder is removed.
 * @param {string} template first line: subject; then an empty line and the letter
 * @param {Record<string, string | null | undefined>} values
 * @returns {Letter}
 */
export function fillLetter(template, values) {
  const value = (/** @type {string} */ name) => (Object.hasOwn(values, name) ? values[name] ?? '' : '')
    .replace(/\s+/g, ' ').trim();
  const put = (/** @type {string} */ line) => line.replace(PLACEHOLDER, (_, name) => value(name));
  const [subject, ...rest] = template.split('\n');
  const kept = rest.filter((line) => placeholders(line).every((name) => value(name))).map(put);
  return { subject: put(subject), body: `${kept.join('\n').replace(/\n{3,}/g, '\n\n').trim()}\n` };
}

/**
 * Required fields of a letter that are empty.
 * @param {string} code code of the letter
 * @param {Record<string, string | undefined>} details
 */
export function missingOf(code, details) {
  return (ASKED[code]?.required ?? ['name']).filter((name) => !details[name]?.trim());
}

/**
 * The letters available for a choice now. The last letter in the list is the next to send.
 * @param {Choice} choice choice updated for the current day
 * @returns {Which[]}
 */
export function lettersOf(choice) {
  /** @type {Which[]} */
  const letters = ['request'];
  if (!choice.letter) return [];
  if (!FOLLOWED.includes(choice.letter)) return letters;
  if (choice.overdue) letters.push('remind');
  if (choice.overdue || ['contested', 'refused', 'complained'].includes(choice.state)) letters.push('complain');
  return letters;
}

/**
 * Template code of a letter.
 * @param {Choice} choice @param {Which} which @returns {string}
 */
export function letterCode(choice, which) {
  if (which === 'request') return choice.letter ?? '';
  if (which === 'remind') return 'remind';
  const answer = answerOf(choice)?.event;
  return answer === 'refused' ? 'complain_refusal' : answer ? 'complain_unfulfilled' : 'complain_silence';
}

/** @param {Choice} choice @param {string} event */
function eventOf(choice, event) {
  return [...choice.events].reverse().find((one) => one.event === event) ?? null;
}

/**
 * The last decision of the operator: done or refused.
 * @param {Choice} choice
 */
function answerOf(choice) {
  return [...choice.events].reverse().find(({ event }) => event === 'honoured' || event === 'refused') ?? null;
}

/**
 * Values for the placeholders about dates, from the ledger.
 * @param {Choice} choice
 * @param {string} today
 * @param {{
 *   day: (day: string) => string, reason: (code: string) => string, until: (day: string, reason: string) => string,
 *   }} words formatters in the language of the letter
 * @returns {Record<string, string>}
 */
export function ledgerValues(choice, today, words) {
  const [sent, contested, extended] = ['sent', 'contested', 'extended'].map((event) => eventOf(choice, event));
  const answer = answerOf(choice);
  const due = dueDay(choice);
  return {
    date: words.day(today),
    ...(sent && { sent_on: words.day(dayOf(sent.at)) }),
    ...(due && { deadline: words.day(due) }),
    ...(extended && choice.extended_until
      && {
        extension: words.until(words.day(choice.extended_until), extended.reason ? words.reason(extended.reason) : ''),
      }),
    ...(answer && { answered_on: words.day(dayOf(answer.at)) }),
    ...(answer?.event === 'refused'
      && { refusal: [answer.reason && words.reason(answer.reason), answer.note].filter(Boolean).join('. ') }),
    ...(contested?.reason && { view: contested.reason }),
  };
}

/**
 * A mailto URL that opens the user's mail program with the letter.
 * @param {string} address @param {Letter} letter @returns {string | null} null for an invalid address
 */
export function mailtoAddress(address, { subject, body }) {
  if (!/^[^\s@<>?&"]+@[^\s@<>?&"]+\.[^\s@<>?&"]+$/.test(address)) return null;
  const text = encodeURIComponent(body.replace(/\r?\n/g, '\r\n'));
  const to = encodeURIComponent(address).replace('%40', '@');
  return `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${text}`;
}
