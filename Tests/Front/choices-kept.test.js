// @ts-check
// The summary of the ledger that pages can read without opening it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choicesKept, isDueSoon, noteKept } from '../../public/js/ledger/kept.js';

const storage = new Map();
/** @type {any} */ (globalThis).localStorage = {
  getItem: (/** @type {string} */ key) => storage.get(key) ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => storage.set(key, value),
  removeItem: (/** @type {string} */ key) => storage.delete(key),
};

test('a deadline counts as due soon from a week before', () => {
  noteKept(2, '2027-03-01');
  assert.equal(choicesKept(), 2);
  assert.ok(!isDueSoon(Date.parse('2027-02-21T23:59:59Z')));
  assert.ok(isDueSoon(Date.parse('2027-02-22T00:00:00Z')));
  assert.ok(isDueSoon(Date.parse('2027-06-01T00:00:00Z')));
});

test('an empty ledger stores no summary', () => {
  noteKept(2, '2027-03-01');
  noteKept(0, null);
  assert.equal(choicesKept(), 0);
  assert.ok(!isDueSoon());
  assert.equal(storage.size, 0);
});

test('works without a summary if storage is not available', () => {
  /** @type {any} */ (globalThis).localStorage = {
    getItem() { throw new Error('refused'); }, setItem() { throw new Error('refused'); },
    removeItem() { throw new Error('refused'); },
  };
  noteKept(1, '2027-03-01');
  assert.equal(choicesKept(), 0);
  assert.ok(!isDueSoon());
});
