// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createStore, decodeState, decodeView, emptyState, encodeState, encodeView, filterCount, filterParameters, sameFilters,
  toggled,
} from '../../public/js/state.js';

const id = '01915f2a-1c00-7abc-8def-0123456789ab';

test('an address contains filters, words, spot, device and view, and is read back unchanged', () => {
  const state = {
    filters: { category: ['webcam', 'alpr'], status: ['confirmed'] }, words: 'são vicente & co',
    filter: "units > 2 AND name LIKE '%a+b&c#d%'", device: id, spot: '-16.9,32.6,-16.9,32.6', view: { longitude: -16.9, latitude: 32.65, zoom: 12 }, heat: 'squares',
    layers: ['quarters', 'wards-2'], adding: id, place: '2657896',
  };
  const address = encodeState(state);
  const [query, hash] = address.replace('./', '').split('#');
  assert.deepEqual(decodeState(query, `#${hash}`),
    { ...state, filters: { category: ['alpr', 'webcam'], status: ['confirmed'] } });
});

test('equal filters in another order give the same address', () => {
  const one = { ...emptyState(), filters: { status: ['disputed'], category: ['b', 'a'] } };
  const other = { ...emptyState(), filters: { category: ['a', 'b'], status: ['disputed'] } };
  assert.equal(encodeState(one), encodeState(other));
});

test('an address with only a view removes the earlier query', () => {
  const address = encodeState({ ...emptyState(), view: { longitude: 1, latitude: 2, zoom: 3 } });
  assert.equal(new URL(address, 'http://host/?device=x#map=1/2/3').href, 'http://host/#map=3.00/2.00/1.00');
});

test('an empty state is an empty address', () => {
  assert.equal(encodeState(emptyState()), './');
  assert.deepEqual(decodeState('', ''), emptyState());
});

test('ignores invalid parts of an address', () => {
  const state = decodeState('?category=alpr,<script>,&device=nobody&spot=1,2,3&q=+&colour=red&layers=Old%20town,../x,',
    '#map=99/0/0');
  assert.deepEqual(state, { ...emptyState(), filters: { category: ['alpr'] } });
});

test('an address may open a draft or a new one', () => {
  assert.equal(decodeState(`?add=${id}`, '').adding, id);
  assert.equal(decodeState('?add=new', '').adding, 'new');
  assert.equal(decodeState('?add=../..', '').adding, null);
});

test('merges repeated filters', () => {
  assert.deepEqual(decodeState('?status=reported&status=reported,disputed', '').filters,
    { status: ['reported', 'disputed'] });
});

for (const [hash, expected] of /** @type {[string, any][]} */ ([
  ['#map=12.5/32.65/-16.9', { longitude: -16.9, latitude: 32.65, zoom: 12.5 }],
  ['map=0/-90/-180', { longitude: -180, latitude: -90, zoom: 0 }],
  ['#map=24/90/180', { longitude: 180, latitude: 90, zoom: 24 }],
  ['#map=24.1/0/0', null], ['#map=1/90.1/0', null], ['#map=1/0/180.1', null], ['#map=-1/0/0', null],
  ['#map=1/NaN/0', null], ['#map=1/2', null], ['#map=1e3/0/0', null], ['#other', null], ['', null],
])) {
  test(`reads the view of «${hash}»`, () => assert.deepEqual(decodeView(hash), expected));
}

test('a view has more decimals at a higher zoom', () => {
  assert.equal(encodeView({ longitude: 1.23456789, latitude: 2.3456789, zoom: 2 }), 'map=2.00/2.35/1.23');
  assert.equal(encodeView({ longitude: 1.23456789, latitude: 2.3456789, zoom: 18 }), 'map=18.00/2.345679/1.234568');
});

test('tiles and items get the same filters, without view, device and spot', () => {
  const state = {
    ...emptyState(), filters: { category: ['b', 'a'] }, words: 'x', device: id, spot: '1,2,1,2',
    view: { longitude: 0, latitude: 0, zoom: 1 },
  };
  assert.equal(filterParameters(state).toString(), 'category=a%2Cb&q=x');
});

test('adds a code and removes it again', () => {
  const put = toggled({}, 'category', 'alpr');
  assert.deepEqual(put, { category: ['alpr'] });
  assert.deepEqual(toggled(put, 'category', 'webcam'), { category: ['alpr', 'webcam'] });
  assert.deepEqual(toggled(put, 'category', 'alpr'), {});
});

test('the number of filters includes the words', () => {
  assert.equal(filterCount(emptyState()), 0);
  assert.equal(filterCount({ ...emptyState(), filters: { category: ['a', 'b'], status: ['c'] }, words: 'x' }), 4);
});

test('moving the map does not change the devices, another spot does', () => {
  const state = emptyState();
  assert.ok(sameFilters(state, { ...state, view: { longitude: 1, latitude: 1, zoom: 1 }, device: id }));
  assert.ok(!sameFilters(state, { ...state, spot: '1,2,1,2' }));
});

test('a store passes the old and the new state to listeners', () => {
  const store = createStore(emptyState());
  /** @type {string[]} */
  const heard = [];
  store.subscribe((state, before, how) => heard.push(`${before.words}>${state.words} ${how}`));
  store.update({ words: 'a' }, 'push');
  store.update({ words: 'b' }, 'replace');
  assert.deepEqual(heard, ['>a push', 'a>b replace']);
  assert.equal(store.current.words, 'b');
});
