// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  direction, directionOf, freeDirection, slicePath, snapped, turned,
} from '../../public/js/fields/directions.js';

test('a direction is an integer from 0 to 359', () => {
  assert.deepEqual([0, 359.4, 359.6, 360, 361, -1, -361, 720.4].map(direction), [0, 359, 0, 0, 1, 359, 359, 0]);
});

test('converts a point of the dial to a direction, with north at the top', () => {
  assert.equal(directionOf(0, -10), 0);
  assert.equal(directionOf(10, 0), 90);
  assert.equal(directionOf(0, 10), 180);
  assert.equal(directionOf(-10, 0), 270);
  assert.equal(directionOf(10, -10), 45);
});

test('snaps to a compass point within a small distance only', () => {
  assert.equal(snapped(43), 45);
  assert.equal(snapped(42), 45);
  assert.equal(snapped(41), 41);
  assert.equal(snapped(358), 0);
});

test('arrow keys turn by small and large steps, and past north', () => {
  assert.equal(turned(0, 'ArrowRight'), 5);
  assert.equal(turned(0, 'ArrowLeft'), 355);
  assert.equal(turned(350, 'ArrowUp', true), 35);
  assert.equal(turned(10, 'PageDown'), 325);
  assert.equal(turned(200, 'Home'), 0);
  assert.equal(turned(200, 'a'), null);
});

test('an additional direction starts in the widest gap', () => {
  assert.equal(freeDirection([]), 0);
  assert.equal(freeDirection([0]), 180);
  assert.equal(freeDirection([350, 10]), 180);
  assert.equal(freeDirection([0, 180]), 90);
  assert.equal(freeDirection([0, 90, 180]), 270);
});

test('a sector has two edges and an arc; 360 degrees are a circle', () => {
  assert.equal(slicePath(0, 90, 10), 'M0 0L-7.07 -7.07A10 10 0 0 1 7.07 -7.07Z');
  assert.match(slicePath(0, 200, 10), /A10 10 0 1 1/);
  assert.doesNotMatch(slicePath(0, 360, 10), /L/);
});
