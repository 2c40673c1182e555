// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ago, bars, bytes, formatMonth } from '../../public/js/admin/figures.js';
import { age, choices, order, rectangle } from '../../public/js/moderation/words.js';

/** @param {any} given @returns {any} */
const item = (given) => ({
  id: 'r1', kind: 'flag', opened_at: '2026-11-21T10:00:00Z', count: 1, target: { type: 'device', id: 'd1' },
  device: { id: 'd1', hidden: false }, photo: null, account: null, reasons: [], changes: null, revision: null, ...given,
});

/** @param {any} given */
const acts = (given) => choices(item(given)).map((choice) => choice.act);

test('a flag can be dismissed and a first contribution accepted', () => {
  assert.equal(acts({})[0], 'dismiss');
  assert.deepEqual(acts({ kind: 'contribution', revision: 1 }).slice(0, 2), ['accept', 'dismiss']);
});

test('offers to restore a hidden target and to hide a visible one', () => {
  assert.ok(acts({}).includes('hide') && !acts({}).includes('restore'));
  const hidden = acts({ device: { id: 'd1', hidden: true } });
  assert.ok(hidden.includes('restore') && !hidden.includes('hide'));
});

test('a decision about a photo targets the photo, not its device', () => {
  const found = choices(item({ kind: 'photo', photo: { id: 'p1', state: 'waiting' } }));
  assert.deepEqual(found.filter((choice) => choice.act === 'hide').map((choice) => choice.target),
    [{ type: 'photo', id: 'p1' }]);
  assert.ok(!found.some((choice) => choice.act === 'merge'));
});

test('offers no actions on an unknown account', () => {
  assert.ok(!acts({}).some((act) => ['warn', 'suspend', 'revert_all'].includes(act)));
  assert.ok(acts({ account: { username: 'ana', suspended: true } }).includes('unsuspend'));
});

test('no two actions of an item have the same shortcut', () => {
  const keys = choices(item({
    kind: 'photo', photo: { id: 'p1', state: 'waiting' }, revision: 2, account: { username: 'ana' },
  })).map((choice) => choice.key);
  assert.equal(new Set(keys).size, keys.length);
});

test('reverting all contributions is a revert of the account', () => {
  const choice = choices(item({ account: { id: 'a1', username: 'ana' } })).find((one) => one.act === 'revert_all');
  assert.deepEqual(order(/** @type {any} */ (choice), 'spam'), {
    action: 'revert', reason: 'spam', target: { type: 'account', id: 'a1', all: true },
  });
});

test('actions that approve or edit a target send the version that was shown', () => {
  const of = (/** @type {any} */ given) =>
    Object.fromEntries(choices(item(given)).map((choice) => [choice.act, order(choice, 'fine').version]));
  const flagged = of({ version: 'v1', device: { id: 'd1', hidden: true, version: 'v2' }, account: { id: 'a1' } });
  assert.deepEqual([flagged.dismiss, flagged.restore, flagged.merge, flagged.warn], ['v1', 'v2', undefined, undefined]);
  const waiting = of({ kind: 'photo', version: 'v1', photo: { id: 'p1', state: 'waiting', version: 'v3' } });
  assert.deepEqual([waiting.accept, waiting.dismiss, waiting.redact, waiting.hide], ['v1', 'v1', 'v3', undefined]);
});

test('formats waiting times in minutes, hours and days', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  assert.deepEqual(age('2026-11-21T11:01:00Z', now), [-59, 'minute']);
  assert.deepEqual(age('2026-11-21T11:00:00Z', now), [-1, 'hour']);
  assert.deepEqual(age('2026-11-19T13:00:00Z', now), [-47, 'hour']);
  assert.deepEqual(age('2026-11-19T12:00:00Z', now), [-2, 'day']);
  assert.deepEqual(age('2026-11-22T12:00:00Z', now), [-0, 'minute']);
});

test('a rectangle drawn in any direction stays within the picture', () => {
  assert.deepEqual(rectangle({ x: 0.75, y: 0.5 }, { x: 0.25, y: 0.25 }),
    { x: 0.25, y: 0.25, width: 0.5, height: 0.25 });
  assert.deepEqual(rectangle({ x: -1, y: 0 }, { x: 2, y: 0.5 }), { x: 0, y: 0, width: 1, height: 0.5 });
});

test('the highest bar has the full height, and a very small value is still visible', () => {
  assert.deepEqual(bars([0, 5, 10]), [0, 0.5, 1]);
  assert.equal(bars([1, 10_000])[0], 0.04);
  assert.deepEqual(bars([0, 0]), [0, 0]);
});

test('formats sizes and ages in common units', () => {
  assert.equal(bytes(999, 'en-GB'), '999 byte');
  assert.equal(bytes(1_400_000_000, 'en-GB'), '1.4 GB');
  assert.equal(ago('2026-11-21T09:00:00Z', Date.parse('2026-11-21T12:00:00Z'), 'en-GB'), '3 hours ago');
});

test('formats a month by name and leaves invalid text unchanged', () => {
  assert.equal(formatMonth('2026-11', 'en-GB'), 'November 2026');
  assert.equal(formatMonth('2026-01', 'pt-PT'), 'janeiro de 2026');
  for (const none of ['', '2026-13', '2026', '2026-1']) assert.equal(formatMonth(none, 'en-GB'), none);
});
