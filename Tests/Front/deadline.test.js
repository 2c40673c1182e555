// @ts-check
// The calculation of deadlines in the browser, checked with the same examples as the server.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { addDays, addMonths, assumedReceipt, daysUntil, isDay, periodEnd } from '../../public/js/ledger/deadline.js';

const read = (/** @type {string} */ path) =>
  JSON.parse(readFileSync(new URL(`../../seed/rights/${path}`, import.meta.url), 'utf8'));
const { examples } = read('deadline-examples.json');
const holidays = read('holidays.json').countries;
const { assumed_receipt_days: assumed } = read('rights.json');

for (const { received, country, due, extended, why } of examples) {
  test(`a request received in ${country} on ${received} is due on ${due}, extended to ${extended}: ${why}`, () => {
    const free = holidays[country] ?? [];
    assert.equal(periodEnd(received, 'P1M', free), due);
    assert.equal(periodEnd(received, ['P1M', 'P2M'], free), extended);
  });
}

test('months end on the same day of the month, or on the last day', () => {
  for (const [day, count, end] of /** @type {[string, number, string][]} */ ([
    ['2026-01-31', 1, '2026-02-28'], ['2028-01-31', 1, '2028-02-29'], ['2100-01-31', 1, '2100-02-28'],
    ['2026-01-28', 1, '2026-02-28'],
    ['2026-12-31', 2, '2027-02-28'], ['2027-11-30', 3, '2028-02-29'], ['2026-03-31', 1, '2026-04-30'],
    ['2026-12-01', 1, '2027-01-01'],
  ])) assert.equal(addMonths(day, count), end, `${day} + ${count}`);
});

test('counts a period in days as days', () => {
  assert.equal(periodEnd('2026-11-02', 'P14D'), '2026-11-16');
  assert.equal(periodEnd('2026-11-02', 'P13D'), '2026-11-16', 'the 15th is a Sunday');
  assert.equal(periodEnd('2026-11-02', 'soon'), '2026-12-02', 'a month where nothing better is known');
});

test('a letter by post counts as received later, by the number of days in the rules', () => {
  for (const [channel, count] of Object.entries(assumed)) {
    assert.equal(assumedReceipt('2026-02-26', channel), addDays('2026-02-26', Number(count)), channel);
  }
  assert.equal(assumedReceipt('2026-02-26', null), '2026-02-26');
});

test('accepts only existing dates', () => {
  for (const day of ['2026-02-28', '2028-02-29', '1999-12-31']) assert.ok(isDay(day), day);
  for (const day of [
    '2026-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '2026-1-1', '2026-01-01T00:00:00Z', '',
    null, 20260101,
  ]) {
    assert.ok(!isDay(day), String(day));
  }
});

test('counts days across changes of daylight saving time', () => {
  assert.equal(daysUntil('2026-04-01', '2026-03-01'), 31);
  assert.equal(daysUntil('2026-03-01', '2026-03-01'), 0);
  assert.equal(daysUntil('2026-02-28', '2026-03-01'), -1);
});
