// @ts-check
// The export of deadlines as a calendar file for other programs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendar, escapeText, foldLine } from '../../public/js/choices/calendar.js';
import { apply, newChoice } from '../../public/js/ledger/ledger.js';

const NOW = '2027-01-21T10:00:00.250Z';
const wanted = newChoice({
  id: '0b5f3a52-6a3e-4a38-9c1e-0f3f4d9b8a11',
  device: { id: 'd', name: 'Câmara; entrada, «norte»', category: 'camera_fixed', country: 'PT', status: 'confirmed' },
  kind: 'access', right: 'access', letter: 'access', regime: 'eu-gdpr', country: 'PT', language: 'pt', operator: null,
  now: NOW,
});
const sent = apply(wanted, { event: 'sent', at: NOW }, { now: NOW });
const words = {
  name: 'Farol', host: 'farol.example', title: (/** @type {any} */ { device }) => `Resposta: ${device.name}`,
  text: () => 'One\nTwo \\ three',
  address: (/** @type {any} */ { id }) => `https://farol.example/choices/${id}`,
};
const unfolded = (/** @type {string} */ text) => text.replaceAll('\r\n ', '').split('\r\n');

test('an event covers the whole last day, with a reminder on the morning before', () => {
  assert.deepEqual(unfolded(calendar([sent], words, NOW)), [
    'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Farol//Choices//EN', 'CALSCALE:GREGORIAN', 'METHOD:PUBLISH',
    'X-WR-CALNAME:Farol',
    'BEGIN:VEVENT', `UID:${sent.id}@farol.example`, 'DTSTAMP:20270121T100000Z', 'LAST-MODIFIED:20270121T100000Z',
    'SEQUENCE:1',
    'DTSTART;VALUE=DATE:20270222', 'DTEND;VALUE=DATE:20270223', 'SUMMARY:Resposta: Câmara\\; entrada\\, «norte»',
    'DESCRIPTION:One\\nTwo \\\\ three',
    `URL:https://farol.example/choices/${sent.id}`, 'TRANSP:TRANSPARENT', 'CLASS:PRIVATE',
    'BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Resposta: Câmara\\; entrada\\, «norte»', 'TRIGGER:-PT15H',
    'END:VALARM', 'END:VEVENT', 'END:VCALENDAR', '',
  ]);
});

test('only open requests have an event, and an extension moves it', () => {
  const count = (/** @type {string} */ text) => text.split('BEGIN:VEVENT').length - 1;
  const honoured = apply(sent, { event: 'honoured', at: NOW }, { now: NOW });
  assert.equal(count(calendar([wanted, honoured], words, NOW)), 0);
  assert.match(
    calendar(
      [apply(sent, { event: 'extended', at: NOW, reason: 'number' },
        { rule: { first: 'P1M', extension: 'P2M', isLaw: true, freeDays: [] }, now: NOW })], words, NOW,
    ), /DTSTART;VALUE=DATE:20270421/,
  );
});

test('folds lines at 75 octets without splitting a character', () => {
  for (const line of [
    'a'.repeat(75), 'a'.repeat(76), 'é'.repeat(200), '😀'.repeat(60),
    `SUMMARY:${'«ão» '.repeat(40)}`,
  ]) {
    const folded = foldLine(line);
    for (const piece of folded.split('\r\n')) assert.ok(new TextEncoder().encode(piece).length <= 75, piece);
    assert.equal(folded.replaceAll('\r\n ', ''), line);
  }
  assert.equal(foldLine('a'.repeat(75)), 'a'.repeat(75));
  assert.equal(foldLine('a'.repeat(76)), `${'a'.repeat(75)}\r\n a`);
});

test('escapes special characters and line breaks, and omits control characters', () => {
  assert.equal(escapeText('a;b,c\\d\r\ne\rf\ng\u0007'), 'a\\;b\\,c\\\\d\\ne\\nf\\ng');
});
