// @ts-check
// Text of the letter for a choice, assembled in the browser. The server knows the device and the
// law, the ledger knows the dates, and the user enters the rest.

import { getJSON } from '../api.js';
import { formatDay } from '../format.js';
import { language } from '../i18n.js';
import { todayHere } from '../ledger/deadline.js';
import { regionOf } from '../ledger/options.js';
import { fillLetter, ledgerValues, letterCode } from './letter.js';

/** @typedef {import('../ledger/ledger.js').Choice} Choice */
/** @typedef {import('./letter.js').Letter} Letter */
/** @typedef {import('./letter.js').Which} Which */
/**
 * @typedef {object} Recipient
 * @property {string | null} channel
 * @property {string | null} email
 * @property {string[]} address
 * @property {string | null} url
 * @property {string | null} name
 * @property {string | null} source
 * @property {string | null} note
 */

/** @typedef {{name: string, url: string | null}} Office */
/** @typedef {{register: Office | null, authority: Office | null}} Help where to ask if no contact is known */

/** A letter with placeholders for the text of the user. */
export class LetterText {
  /**
   * @param {any} answer response of the API
   * @param {Record<string, string>} values values from the ledger
   */
  constructor(answer, values) {
    this.template = typeof answer?.template === 'string'
      ? answer.template
      : `${answer?.subject ?? ''}\n\n${answer?.body ?? ''}`;
    this.values = { ...(typeof answer?.values === 'object' ? answer.values : {}), ...values };
    /** @type {Recipient | null} */
    this.to = readRecipient(answer?.to);
    /** @type {string[]} languages in which there is such a letter */
    this.languages = Array.isArray(answer?.languages) ? answer.languages.map(String) : [];
    this.isUnreviewed = answer?.unreviewed === true; // no lawyer has checked its words yet
    /** @type {Help} */
    this.help = { register: office(answer?.help?.register), authority: office(answer?.help?.authority) };
    /** Paragraph that the server adds at the end: the link for answering. */
    this.ending = '';
  }

  /** @param {Record<string, string | undefined>} details @returns {Letter} */
  filled(details) {
    const letter = fillLetter(this.template, { ...this.values, ...details });
    return this.ending ? { ...letter, body: `${letter.body.trimEnd()}\n\n${this.ending}\n` } : letter;
  }

  /**
   * The letter with a marker for each missing text.
   * @param {Record<string, string | undefined>} details
   * @param {readonly string[]} missing
   * @param {(name: string) => string} mark
   */
  preview(details, missing, mark) {
    return this.filled({ ...details, ...Object.fromEntries(missing.map((name) => [name, mark(name)])) });
  }
}

/**
 * @param {Choice} choice
 * @param {Which} which
 * @param {string} code language of the letter
 * @returns {Promise<LetterText>}
 * @throws {import('../api.js').Refusal | import('../api.js').Outage}
 */
export async function letterText(choice, which, code) {
  const query = new URLSearchParams({ device: choice.device.id, kind: choice.kind, which, lang: code });
  if (choice.country) query.set('country', choice.country);
  const region = regionOf(choice.regime);
  if (region) query.set('region', region);
  const letter = letterCode(choice, which);
  if (letter === 'complain_refusal') query.set('state', 'refused');
  if (letter === 'complain_unfulfilled') query.set('state', 'contested');
  const answer = await getJSON(`/api/letters?${query}`);
  /** @type {Record<string, string>} */
  const reasons = answer?.reasons ?? {};
  const values = ledgerValues(choice, todayHere(), {
    day: (day) => formatDay(day, code) ?? day,
    reason: (reason) => (Object.hasOwn(reasons, reason) ? reasons[reason] : reason),
    until: (day, reason) => (reason ? `${day} (${reason})` : day),
  });
  const text = new LetterText(answer, values);
  if (choice.reply_link && which !== 'complain') text.ending = await replyParagraph(choice, which, code);
  return text;
}

/**
 * The paragraph with the link for answering. Only the server can create the link.
 * @param {Choice} choice @param {Which} which @param {string} code
 */
async function replyParagraph(choice, which, code) {
  const query = new URLSearchParams({ which, lang: code });
  const { body } = await getJSON(`/api/choices/${encodeURIComponent(choice.id)}/letter?${query}`);
  return String(body ?? '').split('\n\n').find((part) => part.includes('/reply#token='))?.trim() ?? '';
}

/**
 * The language of a translation for the person; null if the person can read the letter: it is in the language of
 * the page.
 * @param {string} code language of the letter @param {readonly string[]} languages languages of such letters
 */
export function translationOf(code, languages) {
  if (code === language()) return null;
  return [language(), 'en'].find((one) => one !== code && languages.includes(one)) ?? null;
}

/** @param {any} given @returns {Office | null} */
function office(given) {
  const url = given?.url ?? given?.web;
  if (typeof given?.name !== 'string' || !given.name) return null;
  return { name: given.name, url: typeof url === 'string' && /^https?:\/\//.test(url) ? url : null };
}

/** @param {any} given @returns {Recipient | null} */
function readRecipient(given) {
  if (typeof given !== 'object' || given === null) return null;
  const text = (/** @type {unknown} */ value) => (typeof value === 'string' && value.trim() ? value : null);
  const url = text(given.url);
  return {
    channel: text(given.channel), email: text(given.email), name: text(given.name), source: text(given.source),
    note: text(given.note),
    url: url && /^https?:\/\//.test(url) ? url : null,
    address: [given.address ?? []].flat().flatMap((one) => String(one).split('\n')).filter(Boolean),
  };
}
