// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterAction, openingZoom } from '../../public/js/map/cluster.js';

const wide = { west: -17, south: 32, east: -16, north: 33 };
const point = { west: -16.9, south: 32.65, east: -16.9, north: 32.65 };

test('zooms in on a cluster that fits the next zoom levels', () => {
  assert.deepEqual(clusterAction(wide, 5, 16), { action: 'fit', box: [-17, 32, -16, 33] });
});

test('opens devices at the same place as a list at any zoom', () => {
  for (const zoom of [3, 16, 19]) assert.equal(clusterAction(point, zoom, 16).action, 'list');
});

test('opens a stack from the server as a list', () => {
  assert.equal(clusterAction({ ...wide, stack: true }, 16, 16).action, 'list');
});

test('the box of a list contains the place with a margin for rounding', () => {
  const { box } = clusterAction(point, 16, 16);
  assert.ok(box[0] < -16.9 && box[2] > -16.9 && box[1] < 32.65 && box[3] > 32.65);
  assert.ok(box[2] - box[0] < 1e-5);
});

test('opens a cluster as a list past the highest zoom with tiles', () => {
  assert.equal(clusterAction(wide, 16.4, 16).action, 'fit');
  assert.equal(clusterAction(wide, 16.5, 16).action, 'list');
});

test('fits a cluster across the antimeridian', () => {
  assert.deepEqual(clusterAction({ west: 179, south: 0, east: -179, north: 1 }, 3, 16).box, [179, 0, 181, 1]);
});

test('zooms in by at least one level, and not past the maximum', () => {
  assert.equal(openingZoom(4, 3, 16), 5);
  assert.equal(openingZoom(4, 9, 16), 9);
  assert.equal(openingZoom(4, 25, 16), 17);
  assert.equal(openingZoom(18, 3, 16), 18);
});
