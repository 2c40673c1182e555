// @ts-check
// The page of a place: its requests, and what it reads from their responses. And the area of the list of the map.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { areaOf, listPath } from '../../public/js/devices/list-request.js';
import { contains } from '../../public/js/geography.js';
import { rememberPlace } from '../../public/js/known-places.js';
import { answersHere, compared, comparisonPath, groupsPath, missing } from '../../public/js/place-page/requests.js';
import { emptyState } from '../../public/js/state.js';

const share = (/** @type {number} */ count) => ({ count, share: count / 10 });
/** @type {any} */
const KINDS = {
  total: 10, headline: { operator_known: share(4), retention_known: share(1), choice_offered: share(0) }, groups: [],
};

test('the figures of a place are those of its parameter', () => {
  assert.equal(groupsPath('3042030', 'operator'), '/api/statistics?place=3042030&group_by=operator&limit=200');
  assert.equal(comparisonPath(['1', '2']), '/api/statistics?compare=place:1&compare=place:2');
});

test('the largest gap comes first, and none without devices', () => {
  /** @type {any} */
  const ages = { groups: [{ freshness: 'fresh', count: 3 }, { freshness: 'stale', count: 5 }, { freshness: 'due', count: 2 }] };
  assert.deepEqual(missing(KINDS, ages),
    [{ name: 'retention', count: 9 }, { name: 'stale', count: 7 }, { name: 'operator', count: 6 }]);
  const whole = { ...KINDS, headline: { ...KINDS.headline, operator_known: share(10), retention_known: share(10) } };
  assert.deepEqual(missing(whole, { ...ages, groups: [{ freshness: 'fresh', count: 10 }] }), []);
});

test('neighbours are ordered by devices, and those without figures are left out', () => {
  const place = (/** @type {string} */ id) => /** @type {any} */ ({ id, name: id });
  const area = (/** @type {string} */ id, /** @type {number} */ total) => /** @type {any} */ ({ area: `place:${id}`, total });
  assert.deepEqual(compared([place('1'), place('2'), place('3')], [area('1', 2), area('2', 5)]).map((row) => row.place.id),
    ['2', '1']);
});

test('only operators of the place are named among the outcomes, in the order of their devices', () => {
  /** @type {any} */
  const operators = { groups: [{ operator: 'B', count: 9 }, { operator: null, count: 5 }, { operator: 'A', count: 1 }] };
  assert.deepEqual(answersHere(operators, [{ name: 'A' }, { name: 'C' }, { name: 'B' }]), [{ name: 'B' }, { name: 'A' }]);
});

test('a list is that of the place while all of it is in view, otherwise that of the view', () => {
  rememberPlace({ id: '7', name: 'Vaduz', longitude: 9.5, latitude: 47.1, bbox: [9.4, 47.0, 9.6, 47.2] });
  const state = { ...emptyState(), place: '7' };
  assert.deepEqual(areaOf(state, [9, 46, 10, 48]), { place: '7' });
  assert.match(listPath(state, [9, 46, 10, 48]), /[?&]place=7(&|$)/);
  assert.doesNotMatch(listPath(state, [9, 46, 10, 48]), /bbox/);
  assert.ok('bbox' in areaOf(state, [9.45, 46, 10, 48]));
  assert.deepEqual(areaOf({ ...state, spot: '1,2,3,4' }, [9, 46, 10, 48]), { bbox: '1,2,3,4' });
  assert.ok('bbox' in areaOf({ ...state, place: '8' }, [9, 46, 10, 48]));
});

test('a box contains another one', () => {
  assert.ok(contains([-10, -10, 10, 10], [-10, 0, 10, 10]));
  assert.ok(!contains([-10, -10, 10, 10], [-10, 0, 11, 10]));
  assert.ok(!contains([170, -10, -170, 10], [175, 0, 176, 1]));
  assert.ok(contains([-180, -90, 180, 90], [170, 0, -170, 1]));
});
