// @ts-check
// The readers of an objection: an operator with an inbox, a holder of the link in the letter, or the person alone.
// Farol sends mail only to addresses that operators have proven, so the person writes to any other operator.

import { Outage, Refusal } from '../api.js';
import { h, icon } from '../dom.js';
import { copyButton } from '../forms/copy.js';
import { translate } from '../i18n.js';
import { letterText } from './letter-text.js';
import { mailtoAddress } from './letter.js';

/** @typedef {import('../ledger/ledger.js').Choice} Choice */
/** @typedef {import('./letter.js').Letter} Letter */

/**
 * The key of the words about the readers of an objection.
 * @param {Pick<Choice, 'channel' | 'reply_link'>} choice
 * @returns {'farol' | 'link' | 'none'}
 */
export function readersOf({ channel, reply_link: replyLink }) {
  if (channel === 'farol') return 'farol';
  return replyLink ? 'link' : 'none';
}

/**
 * The objection as an answer to the letter: its subject, the reason, and the link for the next answer.
 * @param {string} reason @param {string} subject of the letter @param {string} ending the paragraph with the link
 * @returns {Letter}
 */
export function objectionLetter(reason, subject, ending) {
  return { subject: `Re: ${subject}`, body: `${[reason, ending].filter(Boolean).join('\n\n')}\n` };
}

/** @param {Choice} choice that is contested */
export function objectionPart(choice) {
  const readers = readersOf(choice);
  const reason = choice.events.filter(({ event }) => event === 'contested').at(-1)?.reason;
  const ways = h('div', { class: 'form-acts' });
  if (readers !== 'farol' && reason) {
    waysOf(choice, reason).then((found) => ways.append(...found)).catch((error) => {
      if (!(error instanceof Outage || error instanceof Refusal)) throw error;
    });
  }
  return h('div', { class: 'stack', id: 'objection' },
    h('p', { class: 'aside-note' }, icon(readers === 'farol' ? 'check' : 'info'),
      h('span', {}, translate(`objection.${readers}`, { operator: choice.farol?.operator.name ?? '' }))),
    ways);
}

/** @param {Choice} choice @param {string} reason */
async function waysOf(choice, reason) {
  const text = await letterText(choice, 'request', choice.language);
  const letter = objectionLetter(reason, text.filled(choice.details).subject, text.ending);
  const mail = text.to?.email ? mailtoAddress(text.to.email, letter) : null;
  const whole = `${letter.subject}\n\n${letter.body}`;
  const shown = h('span', { class: 'visually-hidden' }, whole);
  return [
    ...(mail ? [h('a', { class: 'button', href: mail }, icon('mail'), translate('objection.mail'))] : []),
    copyButton(whole, translate('objection.copy'), shown), shown,
  ];
}
