// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TIME_UNITS, USUAL, durationOf, partsOf } from '../../public/js/fields/lengths-of-time.js';

test('a count and a unit make a duration and come back from it', () => {
  for (const unit of TIME_UNITS) {
    for (const count of [1, 30, 999]) assert.deepEqual(partsOf(durationOf(count, unit)), { count, unit });
  }
});

test('counts that are none make nothing', () => {
  for (const count of [0, -1, 1.5, 1_000, NaN]) assert.equal(durationOf(count, 'D'), null);
});

test('what has more parts, or is no duration, has no single one', () => {
  for (const text of ['P1Y6M', 'none', 'indefinite', '', null, 'PT5M', 'P']) assert.equal(partsOf(text), null);
});

test('usual lengths can be read', () => {
  for (const text of USUAL.filter((one) => one.startsWith('P'))) assert.ok(partsOf(text), text);
});
