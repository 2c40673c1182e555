// @ts-check
// Deadlines as a calendar file (RFC 5545). Pure.

import { addDays } from '../ledger/deadline.js';
import { dueDay, RUNNING } from '../ledger/ledger.js';

/** @typedef {import('../ledger/ledger.js').Choice} Choice */
/**
 * @typedef {object} CalendarWords
 * @property {string} name name of the calendar
 * @property {(choice: Choice) => string} title title of an entry
 * @property {(choice: Choice) => string} text description of an entry
 * @property {(choice: Choice) => string} address URL of the choice
 * @property {string} host host name that makes the ids of entries globally unique
 */

const MOST_OCTETS = 75; // of one line, without its line break
const encoder = new TextEncoder();

/**
 * Escapes a text value.
 * @param {string} text
 */
export function escapeText(text) {
  return text.replace(/[\\;,]/g, (mark) => `\\${mark}`).replace(/\r\n|\r|\n/g, '\\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
}

/**
 * Folds a line into pieces of at most 75 octets without splitting a character.
 * @param {string} line
 */
export function foldLine(line) {
  const pieces = [];
  let piece = '';
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > MOST_OCTETS) {
      pieces.push(piece);
      piece = '';
      octets = 1; // a continuation line begins with a space
    }
    piece += character;
    octets += size;
  }
  return [...pieces, piece].join('\r\n ');
}

/**
 * «20270301»
 * @param {string} day
 */
const date = (day) => day.replaceAll('-', '');
/**
 * «20270301T101500Z»
 * @param {string} time RFC 3339
 */
const time = (time) => `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

/**
 * One entry for each pending answer. It lasts the whole due day and has a reminder at 9:00 on the
 * morning before. The id of a choice never changes, so reading the calendar again moves the entry.
 * @param {readonly Choice[]} choices @param {CalendarWords} words @param {string} now RFC 3339 time
 */
export function calendar(choices, words, now) {
  const lines = [
    'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Farol//Choices//EN', 'CALSCALE:GREGORIAN', 'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(words.name)}`,
  ];
  for (const choice of choices) {
    const due = dueDay(choice);
    if (due && RUNNING.includes(choice.state)) lines.push(...entry(choice, due, words, now));
  }
  return [...lines, 'END:VCALENDAR', ''].map(foldLine).join('\r\n');
}

/** @param {Choice} choice @param {string} due @param {CalendarWords} words @param {string} now */
function entry(choice, due, words, now) {
  const title = escapeText(words.title(choice));
  return [
    'BEGIN:VEVENT', `UID:${choice.id}@${words.host}`, `DTSTAMP:${time(now)}`,
    `LAST-MODIFIED:${time(choice.updated_at)}`, `SEQUENCE:${choice.events.length}`,
    `DTSTART;VALUE=DATE:${date(due)}`, `DTEND;VALUE=DATE:${date(addDays(due, 1))}`,
    `SUMMARY:${title}`, `DESCRIPTION:${escapeText(words.text(choice))}`, `URL:${words.address(choice)}`,
    'TRANSP:TRANSPARENT', 'CLASS:PRIVATE',
    'BEGIN:VALARM', 'ACTION:DISPLAY', `DESCRIPTION:${title}`, 'TRIGGER:-PT15H', 'END:VALARM', 'END:VEVENT',
  ];
}
