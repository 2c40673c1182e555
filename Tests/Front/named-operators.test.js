// The operators that devices name, and requests that people make together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorAddress } from '../../public/js/links.js';
import { devicesQuery, shareOf, viewOfBox } from '../../public/js/operators/named.js';
import { ownChoice, stateOf } from '../../public/js/together/common.js';

test('a name leads to one part of an address', () => {
  for (const [name, part] of [
    ['Koko Chicken AG', 'Koko%20Chicken%20AG'], ['A/B Security', 'A%20B%20Security'], ['Café', 'Caf%C3%A9'],
    ['S.A.', 'S%20A'], ['50% & more?', '50%25%20%26%20more%3F'], ['a\\b', 'a%20b'], ['東京', '%E6%9D%B1%E4%BA%AC'],
  ]) assert.equal(operatorAddress(name), `/operators/named/${part}`);
});

test('no name leads to another folder', () => {
  for (const name of ['..', '.', '../admin', '/', '//evil.example']) {
    assert.match(new URL(operatorAddress(name), 'https://farol.example').pathname, /^\/operators\/named\/./, name);
  }
});

test('the devices of an operator are those of all its spellings', () => {
  const spellings = [{ name: 'Koko & Co', devices: 2 }, { name: 'KOKO', devices: 1 }];
  assert.deepEqual(new URLSearchParams(devicesQuery({ spellings })).getAll('operator'), ['Koko & Co', 'KOKO']);
  const many = Array.from({ length: 200 }, (_, place) => ({ name: `Name ${place}`, devices: 1 }));
  assert.ok(devicesQuery({ spellings: many }).length < 2_000);
});

test('a share of nothing is unknown', () => {
  assert.equal(shareOf(0, 0), null);
  assert.equal(shareOf(1, 4), 0.25);
  assert.equal(shareOf(9, 4), 1);
});

test('a box fits in the map', () => {
  const world = viewOfBox([-170, -55, 170, 72], 390);
  assert.ok(world.zoom <= 1.5);
  const town = viewOfBox([8.5, 47.3, 8.6, 47.4], 390);
  assert.ok(Math.abs(town.longitude - 8.55) < 1e-9 && Math.abs(town.latitude - 47.35) < 1e-9);
  const pixels = (512 * 2 ** town.zoom * 0.1) / 360;
  assert.ok(pixels < 390 && pixels > 100, `${pixels}`);
  assert.equal(viewOfBox([8.5, 47.3, 8.5, 47.3], 390).zoom, 14);
});

test('people gather until ten have asked, then the deadline runs through its last day', () => {
  assert.equal(stateOf({ people: null, due_on: null }, '2026-11-21'), 'gathering');
  assert.equal(stateOf({ people: 10, due_on: '2026-12-21' }, '2026-12-21'), 'waiting');
  assert.equal(stateOf({ people: 10, due_on: '2026-12-21' }, '2026-12-22'), 'over');
});

test('finds the own choice in a common request', () => {
  assert.equal(ownChoice([{ request: 'a', choice: 'x' }], 'a'), 'x');
  assert.equal(ownChoice([{ request: 'a', choice: 'x' }], 'b'), null);
});
