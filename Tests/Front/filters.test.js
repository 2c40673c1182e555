// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { originOf, listPath } from '../../public/js/devices/list-request.js';
import { groupToggled, isChosen, summed } from '../../public/js/filters/groups.js';
import { decodeState, emptyState, encodeState } from '../../public/js/state.js';

// api.js listens for the network.
Object.assign(globalThis, { addEventListener() {}, document: { addEventListener() {} } });
const { countPath, readCounts } = await import('../../public/js/filters/counts.js');

const read = (/** @type {string} */ name) => (
  JSON.parse(readFileSync(new URL(`../../seed/taxonomies/${name}.json`, import.meta.url), 'utf8')).terms);
const cameras = { code: 'cameras', label: 'All cameras', categories: ['camera_fixed', 'webcam', 'alpr'] };
const vehicles = { code: 'vehicles', label: 'Vehicles', categories: ['alpr'] };

test('every category of a group exists', () => {
  const known = read('categories').map((/** @type {any} */ term) => term.code);
  for (const group of read('category_groups')) {
    assert.ok(group.categories.length > 1, group.code);
    for (const code of group.categories) assert.ok(known.includes(code), code);
  }
});

test('one tap chooses all categories of a group, and the next one removes them', () => {
  const chosen = groupToggled({ category: ['toy', 'webcam'], status: ['reported'] }, cameras);
  assert.deepEqual(chosen, { status: ['reported'], category: ['toy', 'webcam', 'camera_fixed', 'alpr'] });
  assert.ok(isChosen(chosen, cameras));
  assert.ok(!isChosen({ category: ['webcam'] }, cameras));
  assert.deepEqual(groupToggled(chosen, cameras), { status: ['reported'], category: ['toy'] });
  assert.deepEqual(groupToggled({ category: cameras.categories }, cameras), {});
});

test('a chosen group is one filter, and contains smaller groups', () => {
  const found = summed({ category: ['toy', 'webcam', 'camera_fixed', 'alpr'] }, [vehicles, cameras]);
  assert.deepEqual([found.groups.map(({ code }) => code), found.categories], [['cameras'], ['toy']]);
  const part = summed({ category: ['webcam', 'alpr'] }, [vehicles, cameras]);
  assert.deepEqual([part.groups.map(({ code }) => code), part.categories], [['vehicles'], ['webcam']]);
});

test('the values of a filter are counted with all other filters, in the area of the view', () => {
  const state = { filters: { category: ['webcam'], setting: ['indoor'] }, words: 'sun', spot: null };
  const path = new URL(countPath('category', state, { bbox: '1,2,3,4' }), 'http://x');
  assert.equal(path.pathname, '/api/statistics');
  assert.deepEqual([...path.searchParams],
    [['setting', 'indoor'], ['q', 'sun'], ['bbox', '1,2,3,4'], ['group_by', 'category']]);
  const statuses = new URL(countPath('status', state, {}), 'http://x').searchParams;
  assert.ok(statuses.get('status')?.includes('removed'), 'lists leave out removed devices, the filter offers them');
});

test('a group without a name counts for no value', () => {
  const groups = [{ operator_kind: 'public', count: 2 }, { operator_kind: 'unknown', count: 5 }];
  assert.deepEqual([...readCounts('operator_kind', { groups })], [['public', 2], ['unknown', 5]]);
  assert.deepEqual([...readCounts('setting', { groups: [{ setting: null, count: 5 }] })], []);
  assert.deepEqual([...readCounts('choices', { groups: [{ choices: null, count: 5 }] })], []);
  assert.deepEqual([...readCounts('setting', {})], []);
});

test('a list is sorted from the middle of a small view, and from the user once the position is known', () => {
  const state = emptyState();
  assert.deepEqual(originOf(state, [8, 47, 9, 48], null), [8.5, 47.5]);
  assert.deepEqual(originOf(state, [-180, -80, 180, 80], null), null);
  assert.deepEqual(originOf(state, [179, 0, -179, 1], null), [180, 0.5]);
  assert.deepEqual(originOf(state, [8, 47, 9, 48], [1, 2]), [1, 2]);
  assert.deepEqual(originOf({ ...state, spot: '1,1,1.2,1.2' }, [-180, -80, 180, 80], null), [1.1, 1.1]);
  assert.match(listPath(state, [8, 47, 9, 48]), /near=8\.50000%2C47\.50000&sortby=distance/);
  assert.doesNotMatch(listPath(state, [-180, -80, 180, 80]), /sortby/);
});

test('the place that the user searched for is in the address', () => {
  const state = { ...emptyState(), place: '2657896' };
  assert.equal(encodeState(state), './?place=2657896');
  assert.equal(decodeState('?place=2657896', '').place, '2657896');
  for (const wrong of ['-1', 'x', '', '1.5', '1234567890123456']) {
    assert.equal(decodeState(`?place=${wrong}`, '').place, null);
  }
});
