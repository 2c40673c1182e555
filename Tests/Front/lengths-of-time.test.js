// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TIME_UNITS, USUAL, durationOf, partsOf } from '../../public/js/fields/lengths-of-time.js';

test('converts a count and a unit to a duration and back', () => {
  for (const unit of TIME_UNITS) {
    for (const count of [1, 30, 999]) assert.deepEqual(partsOf(durationOf(count, unit)), { count, unit });
  }
});

test('an invalid count gives no duration', () => {
  for (const count of [0, -1, 1.5, 1_000, NaN]) assert.equal(durationOf(count, 'D'), null);
});

test('a duration with several parts or an invalid one has no single unit', () => {
  for (const text of ['P1Y6M', 'none', 'indefinite', '', null, 'PT5M', 'P']) assert.equal(partsOf(text), null);
});

test('parses the usual durations', () => {
  for (const text of USUAL.filter((one) => one.startsWith('P'))) assert.ok(partsOf(text), text);
});
