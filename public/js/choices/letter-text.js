// @ts-check
// Text of the letter for a choice, assembled in the browser. The server knows the device and the
// law, the ledger knows the dates, and the user enters the rest.

import { getAsset, getJSON } from '../api.js';
import { formatDay } from '../format.js';
import { language, translate } from '../i18n.js';
import { todayHere } from '../ledger/deadline.js';
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

/** @type {Map<string, Promise<Record<string, string>>>} */
const catalogues = new Map();

/**
 * Translations for a language, which can differ from the language of the page.
 * @param {string} code @returns {Promise<(key: string) => string>}
 */
async function wordsIn(code) {
  if (code === language()) return (key) => translate(key);
  let asked = catalogues.get(code);
  if (!asked) {
    asked = getAsset(`locale/${code}.json`);
    catalogues.set(code, asked);
  }
  const catalogue = await asked;
  return (key) => catalogue[key] ?? key;
}

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
  if (letterCode(choice, which) === 'complain_refusal') query.set('state', 'refused');
  const [answer, say] = await Promise.all([getJSON(`/api/letters?${query}`), wordsIn(code)]);
  const named = (/** @type {string} */ key, /** @type {string} */ otherwise) => (
    say(key) === key ? otherwise : say(key));
  const values = ledgerValues(choice, todayHere(), {
    day: (day) => formatDay(day, code) ?? day,
    reason: (reason) => named(`reason.${reason}`, reason),
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
