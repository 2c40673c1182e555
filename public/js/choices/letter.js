// @ts-check
// A letter filled in, as docs/rights.md says. Pure. The words of a person are put in here, in the
// browser: a letter for a ledger that no server keeps is asked for without them.

import { dayOf } from './deadline.js';
import { dueDay } from './ledger.js';

/** @typedef {import('./ledger.js').Choice} Choice */
/** @typedef {{subject: string, body: string}} Letter */
/** @typedef {'request' | 'remind' | 'complain'} Which */

/**
 * What a person is asked for in each letter, needed first; the same as seed/letters/index.json.
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
  remind: { required: ['name'], optional: ['reply_address'] },
  complain_silence: { required: ['name'], optional: ['reply_address'] },
  complain_refusal: { required: ['name'], optional: ['view', 'reply_address'] },
});

/** Answers that need room for more than a line. */
export const LONG_ANSWERS = Object.freeze(['reason', 'correction', 'decision', 'view', 'recognise']);
/** Letters that follow one that claims a right. */
const FOLLOWED = Object.freeze(['access', 'rectify', 'erase', 'restrict', 'portability', 'object', 'withdraw', 'contest', 'inform']);

const PLACEHOLDER = /\{([a-z_]+)\}/g;

/** @param {string} text @returns {string[]} */
function placeholders(text) {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name);
}

/**
 * Puts values in, once: a value is never read for placeholders. A line goes where one has no value.
 * @param {string} template the subject on the first line, an empty line, the letter
 * @param {Record<string, string | null | undefined>} values
 * @returns {Letter}
 */
export function fillLetter(template, values) {
  const value = (/** @type {string} */ name) => (Object.hasOwn(values, name) ? values[name] ?? '' : '').replace(/\s+/g, ' ').trim();
  const put = (/** @type {string} */ line) => line.replace(PLACEHOLDER, (_, name) => value(name));
  const [subject, ...rest] = template.split('\n');
  const kept = rest.filter((line) => placeholders(line).every((name) => value(name))).map(put);
  return { subject: put(subject), body: `${kept.join('\n').replace(/\n{3,}/g, '\n\n').trim()}\n` };
}

/**
 * What of a letter is still to be said by the person.
 * @param {string} code of the letter @param {Record<string, string | undefined>} details
 */
export function missingOf(code, details) {
  return (ASKED[code]?.required ?? ['name']).filter((name) => !details[name]?.trim());
}

/**
 * The letters that a choice can do with now; the last is the one that is due.
 * @param {Choice} choice with what depends on the day
 * @returns {Which[]}
 */
export function lettersOf(choice) {
  /** @type {Which[]} */
  const letters = ['request'];
  if (!choice.letter) return [];
  if (!FOLLOWED.includes(choice.letter)) return letters;
  if (choice.overdue) letters.push('remind');
  if (choice.overdue || choice.state === 'refused' || choice.state === 'complained') letters.push('complain');
  return letters;
}

/**
 * The code of a letter of a choice.
 * @param {Choice} choice @param {Which} which @returns {string}
 */
export function letterCode(choice, which) {
  if (which === 'request') return choice.letter ?? '';
  if (which === 'remind') return 'remind';
  return choice.events.some(({ event }) => event === 'refused') ? 'complain_refusal' : 'complain_silence';
}

/** @param {Choice} choice @param {string} event */
function eventOf(choice, event) {
  return [...choice.events].reverse().find((one) => one.event === event) ?? null;
}

/**
 * What a letter says of days, from the ledger.
 * @param {Choice} choice @param {string} today
 * @param {{day: (day: string) => string, reason: (code: string) => string, until: (day: string, reason: string) => string}} words in the language of the letter
 * @returns {Record<string, string>}
 */
export function ledgerValues(choice, today, words) {
  const [sent, refused, extended] = ['sent', 'refused', 'extended'].map((event) => eventOf(choice, event));
  const due = dueDay(choice);
  return {
    date: words.day(today),
    ...(sent && { sent_on: words.day(dayOf(sent.at)) }),
    ...(due && { deadline: words.day(due) }),
    ...(extended && choice.extended_until && { extension: words.until(words.day(choice.extended_until), extended.reason ? words.reason(extended.reason) : '') }),
    ...(refused && { answered_on: words.day(dayOf(refused.at)), refusal: [refused.reason && words.reason(refused.reason), refused.note].filter(Boolean).join('. ') }),
  };
}

/**
 * An address that opens the reader's own mail program with the letter in it.
 * @param {string} address @param {Letter} letter
 * @returns {string | null} null where the address is none
 */
export function mailtoAddress(address, { subject, body }) {
  if (!/^[^\s@<>?&"]+@[^\s@<>?&"]+\.[^\s@<>?&"]+$/.test(address)) return null;
  const text = encodeURIComponent(body.replace(/\r?\n/g, '\r\n'));
  return `mailto:${encodeURIComponent(address).replace('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${text}`;
}
