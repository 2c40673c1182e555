// The operators that devices name, and requests that people make together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxOfView } from '../../public/js/geography.js';
import { operatorAddress } from '../../public/js/links.js';
import { devicesQuery, operatorView, shareOf } from '../../public/js/operators/named.js';
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

test('a map shows the outermost devices of an operator whole, not cut by its edge', () => {
  const [width, height, marker] = [358, 286, 20];
  for (const box of /** @type {import('../../public/js/types').Box[]} */ ([
    [8.5, 47.37, 8.75, 47.53], [8.5, 47.3, 8.6, 47.31], [-74, 40.5, -73.9, 40.9], [170, -20, -170, -10],
  ])) {
    const [west, south, east, north] = boxOfView(operatorView(box, width, height), width - 2 * marker, height - 2 * marker);
    const span = (/** @type {number} */ from, /** @type {number} */ to) => (to - from + 360) % 360;
    assert.ok(span(west, box[0]) < 180 && span(box[2], east) < 180, `${box}`);
    assert.ok(south < box[1] && north > box[3], `${box}`);
  }
  assert.equal(operatorView([8.5, 47.3, 8.5, 47.3], width, height).zoom, 14);
  assert.ok(operatorView(null, width, height).zoom < 1);
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
