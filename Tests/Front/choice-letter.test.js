// @ts-check
// The browser fills in letters exactly like the examples, and never interprets placeholders in user input.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  ASKED, fillLetter, ledgerValues, letterCode, lettersOf, mailtoAddress, missingOf,
} from '../../public/js/choices/letter.js';
import { apply, asOf, newChoice } from '../../public/js/ledger/ledger.js';

const text = (/** @type {string} */ path) => readFileSync(new URL(`../../seed/letters/${path}`, import.meta.url),
  'utf8');
const { letters, placeholders } = JSON.parse(text('index.json'));
const { examples } = JSON.parse(text('examples.json'));

for (const { letter, values, subject, body } of examples) {
  test(`fills in ${letter} like the example`,
    () => assert.deepEqual(fillLetter(text(`${letter}.txt`), values), { subject, body }));
}

test('asks for the required and the optional values of the letters', () => {
  const own = (/** @type {string} */ name) => placeholders[name].from === 'person';
  for (const { code, required, optional } of letters) {
    assert.deepEqual([...ASKED[code].required].sort(), required.filter(own).sort(), code);
    assert.deepEqual([...ASKED[code].optional].sort(), optional.filter(own).sort(), code);
  }
  assert.equal(Object.keys(ASKED).length, letters.length);
});

test('inserts values unchanged, and never inherited properties', () => {
  assert.deepEqual(fillLetter('About {name}\n\n{name} $& {reason}\n{constructor}\n',
    { name: '{reason} $1', reason: 'a\n b' }), { subject: 'About {reason} $1', body: '{reason} $1 $& a b\n' });
});

test('reports the missing values of a letter', () => {
  assert.deepEqual(missingOf('object', { name: ' ' }), ['name', 'reason']);
  assert.deepEqual(missingOf('object', { name: 'A', reason: 'B' }), []);
});

const wanted = newChoice({
  id: '0b5f3a52-6a3e-4a38-9c1e-0f3f4d9b8a11',
  device: { id: 'd', name: 'Camera', category: 'camera_fixed', country: 'PT', status: 'confirmed' },
  kind: 'access', right: 'access', letter: 'access', regime: 'eu-gdpr', country: 'PT', language: 'en', operator: null,
  now: '2027-01-20T10:00:00Z',
});
const sent = apply(wanted, { event: 'sent', at: '2027-01-21T10:00:00Z' }, { now: '2027-01-21T10:00:00Z' });
const rule = { first: 'P1M', extension: 'P2M', isLaw: true, freeDays: [] };
const words = {
  day: (/** @type {string} */ day) => `<${day}>`, reason: (/** @type {string} */ code) => `<${code}>`,
  until: (/** @type {string} */ day, /** @type {string} */ reason) => `${day} ${reason}`,
};

test('offers reminder and complaint when a response is late, and the complaint after a refusal', () => {
  assert.deepEqual(lettersOf(wanted), ['request']);
  assert.deepEqual(lettersOf(asOf(sent, '2027-02-22')), ['request']);
  assert.deepEqual(lettersOf(asOf(sent, '2027-02-23')), ['request', 'remind', 'complain']);
  assert.equal(letterCode(sent, 'complain'), 'complain_silence');
  const refused = apply(sent, { event: 'refused', at: '2027-02-01T10:00:00Z', reason: 'no_data', note: 'Gone.' },
    { now: '2027-02-01T10:00:00Z' });
  assert.deepEqual(lettersOf(refused), ['request', 'complain']);
  assert.equal(letterCode(refused, 'complain'), 'complain_refusal');
  assert.deepEqual(lettersOf(asOf({ ...sent, letter: 'offered', right: null }, '2027-02-23')), ['request'],
    'what was offered is claimed as a right first');
});

test('fills in dates and reasons from the ledger', () => {
  assert.deepEqual(ledgerValues(wanted, '2027-01-20', words), { date: '<2027-01-20>' });
  const extended = apply(sent, { event: 'extended', at: '2027-02-01T10:00:00Z', reason: 'number' },
    { rule, now: '2027-02-01T10:00:00Z' });
  assert.deepEqual(ledgerValues(extended, '2027-05-01', words), {
    date: '<2027-05-01>', sent_on: '<2027-01-21>', deadline: '<2027-04-21>', extension: '<2027-04-21> <number>',
  });
});

test('opens an email program for a valid address only', () => {
  assert.equal(mailtoAddress('privacy@farol.example', { subject: 'A & b?', body: 'One\nTwo é\n' }),
    'mailto:privacy@farol.example?subject=A%20%26%20b%3F&body=One%0D%0ATwo%20%C3%A9%0D%0A');
  for (const wrong of ['', 'privacy', 'a@b', 'a@b.c?bcc=d@e.f', 'a@b.c,d@e.f x', 'javascript:alert(1)']) {
    assert.equal(mailtoAddress(wrong, { subject: '', body: '' }), null, wrong);
  }
});
