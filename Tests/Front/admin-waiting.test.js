// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queued, waitingOf, zerosLast } from '../../public/js/admin/waiting.js';

test('people who wait come before faults, and empty queues are left out', () => {
  const found = {
    queue: { open: 4, by_kind: { flag: 1, photo: 2, list: 1, mapping_day: 0 } }, backups: null,
    mail: { failed: 2 }, retention: [{ code: 'session', due: 3, last_at: null, erased: null }], errors: [],
  };
  assert.deepEqual(waitingOf(found, { organisations: 1, research: 0, claims: 0 }), [
    { code: 'queue', count: 3, href: '/moderation' },
    { code: 'organisations', count: 1, href: '/admin/operators' },
    { code: 'lists', count: 1, href: '/moderation/lists' },
    { code: 'mail', count: 2, href: '#admin-mail' },
    { code: 'retention', count: 1, href: '#admin-retention' },
  ]);
  assert.deepEqual(waitingOf({ backups: null }), []);
});

test('the number of queued items is the one that the page of the queue shows', () => {
  assert.equal(queued({ open: 5, by_kind: { flag: 2, contribution: 1, list: 1, mapping_day: 1 } }), 3);
  assert.equal(queued(undefined), 0);
});

test('zeros come last, and the rest keeps its order', () => {
  assert.deepEqual(zerosLast({ hidden: 0, reported: 5, removed: 0, confirmed: 7 }),
    [['reported', 5], ['confirmed', 7], ['hidden', 0], ['removed', 0]]);
});
