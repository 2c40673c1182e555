// The tiles of a part of the map.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleTiles } from '../../public/js/map/visible-tiles.js';

const NAME = '/t/{z}/{x}/{y}';
const WORLD = [-180, -90, 180, 90];

test('the world has one tile at zoom 0 and four at zoom 1', () => {
  assert.deepEqual(visibleTiles(NAME, WORLD, 0.9, 16, 99), ['/t/0/0/0']);
  assert.deepEqual(visibleTiles(NAME, WORLD, 1.2, 16, 99), ['/t/1/0/0', '/t/1/1/0', '/t/1/0/1', '/t/1/1/1']);
});

test('a small part of the map has the tiles that contain its corners', () => {
  assert.deepEqual(visibleTiles(NAME, [-16.92, 32.64, -16.9, 32.66], 12.5, 16, 99), ['/t/12/1855/1654']);
});

test('the last zoom with tiles serves all closer ones', () => {
  assert.deepEqual(visibleTiles(NAME, [1, 1, 1, 1], 18, 1, 99), ['/t/1/1/0']);
});

test('a part across the date line has the tiles of both sides', () => {
  assert.deepEqual(visibleTiles(NAME, [170, -5, -170, -4], 3, 16, 99), ['/t/3/7/4', '/t/3/0/4']);
});

test('there is a limit, and poles are inside the pyramid', () => {
  assert.equal(visibleTiles(NAME, WORLD, 6, 16, 40).length, 40);
  assert.deepEqual(visibleTiles(NAME, [0, 89, 1, 90], 2, 16, 9), ['/t/2/2/0']);
});
