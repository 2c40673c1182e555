// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterAction, openingZoom, shortCount } from '../../public/js/map/cluster.js';

const wide = { west: -17, south: 32, east: -16, north: 33 };
const point = { west: -16.9, south: 32.65, east: -16.9, north: 32.65 };

test('a cluster with room opens closer in', () => {
  assert.deepEqual(clusterAction(wide, 5, 16), { action: 'fit', box: [-17, 32, -16, 33] });
});

test('devices at one spot open as a list, at any zoom', () => {
  for (const zoom of [3, 16, 19]) assert.equal(clusterAction(point, zoom, 16).action, 'list');
});

test('what the server calls a stack opens as a list', () => {
  assert.equal(clusterAction({ ...wide, stack: true }, 16, 16).action, 'list');
});

test('the box of a list holds the spot with a grain to spare', () => {
  const { box } = clusterAction(point, 16, 16);
  assert.ok(box[0] < -16.9 && box[2] > -16.9 && box[1] < 32.65 && box[3] > 32.65);
  assert.ok(box[2] - box[0] < 1e-5);
});

test('past the last tiles a cluster opens as a list', () => {
  assert.equal(clusterAction(wide, 16.4, 16).action, 'fit');
  assert.equal(clusterAction(wide, 16.5, 16).action, 'list');
});

test('a cluster over the antimeridian is fitted across it', () => {
  assert.deepEqual(clusterAction({ west: 179, south: 0, east: -179, north: 1 }, 3, 16).box, [179, 0, 181, 1]);
});

test('opening always goes at least one step in, and never too far', () => {
  assert.equal(openingZoom(4, 3, 16), 5);
  assert.equal(openingZoom(4, 9, 16), 9);
  assert.equal(openingZoom(4, 25, 16), 17);
  assert.equal(openingZoom(18, 3, 16), 18);
});

for (const [count, words] of /** @type {[number, string][]} */ ([
  [2, '2'], [999, '999'], [1_000, '1k'], [1_234, '1.2k'], [9_949, '9.9k'], [9_950, '10k'], [73_074, '73k'],
  [999_499, '999k'], [999_500, '1M'], [1_250_000, '1.3M'],
])) {
  test(`${count} is written ${words}`, () => assert.equal(shortCount(count), words));
}
