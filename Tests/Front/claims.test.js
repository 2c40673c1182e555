// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedVerdict, asksForALook, freshness, ownAnswer, readClaims } from '../../public/js/claims/claims.js';

test('a claim without verdicts is open', () => {
  const claims = readClaims([
    {
      claim: 'data', verdict: 'confirmed', basis: ['seen'], confirmations: 2, disputes: 0, last_at: '2026-05-01',
      stale_on: '2028-05-01',
    },
  ]);
  assert.deepEqual(claims.map(({ claim, verdict }) => [claim, verdict]),
    [['present', 'open'], ['function', 'open'], ['data', 'confirmed'], ['operator', 'open']]);
  assert.equal(claims[2].confirmations, 2);
  assert.equal(claims[0].lastAt, null);
});

test('reads malformed claims without an error', () => {
  for (const wrong of [
    null, 7, [null],
    [{ claim: 'present', basis: 'seen', confirmations: '2', verdict: 'maybe', mine: 1 }],
  ]) {
    const [present] = readClaims(wrong);
    assert.deepEqual([present.verdict, present.confirmations, present.mine], ['open', 0, null]);
  }
});

for (const [stale, expected] of /** @type {[string | null, string][]} */ ([
  ['2026-11-21', 'stale'], ['2026-11-20', 'stale'], ['2026-11-22', 'due'], ['2027-01-20', 'due'],
  ['2027-01-21', 'fresh'], [null, 'fresh'], ['soon', 'fresh'],
])) {
  test(`a device that is stale on ${stale} is ${expected} on 21 November`,
    () => assert.equal(freshness(stale, '2026-11-21'), expected));
}

test('a due device needs a check, a removed one does not', () => {
  const device = { status: 'reported', properties: { stale_on: '2026-11-22' } };
  assert.ok(asksForALook(device, '2026-11-21'));
  assert.ok(!asksForALook({ ...device, status: 'removed' }, '2026-11-21'));
  assert.ok(!asksForALook({ ...device, properties: {} }, '2026-11-21'));
});

test('a link may ask only about a known claim', () => {
  assert.deepEqual(askedVerdict('?say=present.dispute'), { claim: 'present', verdict: 'dispute' });
  for (const wrong of ['', '?say=present', '?say=status.confirm', '?say=present.delete', '?say=']) {
    assert.equal(askedVerdict(wrong), null, wrong);
  }
});

test('an answer counts if the number of such answers is not zero', () => {
  assert.equal(ownAnswer({ mine: null, confirmations: 2, disputes: 1 }), 'none');
  assert.equal(ownAnswer({ mine: 'dispute', confirmations: 2, disputes: 0 }), 'uncounted');
  assert.equal(ownAnswer({ mine: 'dispute', confirmations: 0, disputes: 1 }), 'counted');
  assert.equal(ownAnswer({ mine: 'confirm', confirmations: 0, disputes: 1 }), 'uncounted');
});
