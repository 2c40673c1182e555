// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bearingTo, boxOfView, boxText, circle, destination, distance, normalBox, sameBox, uncertainty, viewOfBox, wedge,
  wrapLongitude,
} from '../../public/js/geography.js';
import { graticule } from '../../public/js/map/graticule.js';

test('wraps a longitude around the world', () => {
  assert.equal(wrapLongitude(180), 180);
  assert.equal(wrapLongitude(-180), -180);
  assert.equal(wrapLongitude(190), -170);
  assert.equal(wrapLongitude(-190), 170);
  assert.equal(wrapLongitude(725), 5);
});

test('a box across the antimeridian has its west greater than its east', () => {
  assert.deepEqual(normalBox(170, -10, 190, 10), [170, -10, -170, 10]);
});

test('a box wider than the world is the world', () => {
  assert.deepEqual(normalBox(-300, -95, 300, 95), [-180, -90, 180, 90]);
});

test('formats a box with six decimals', () => {
  assert.equal(boxText([-16.90000049, 32.1234567, 1, 2]), '-16.9,32.123457,1,2');
});

test('boxes are equal within a twentieth of a pixel, and different a pixel apart', () => {
  const box = boxOfView({ longitude: 179.99, latitude: -16.5, zoom: 12 }, 1_000, 600);
  const pixel = 360 / (512 * 2 ** 12);
  const moved = (/** @type {number} */ pixels) => /** @type {import('../../public/js/geography.js').Box} */ (
    box.map((edge, place) => (place % 2 ? edge : edge + pixels * pixel)));
  assert.ok(sameBox(box, box));
  assert.ok(sameBox(box, moved(0.04)));
  assert.ok(!sameBox(box, moved(1)));
  assert.ok(!sameBox(box, moved(-1)));
});

test('converts a view to its box and back', () => {
  const view = { longitude: -16.9, latitude: 32.65, zoom: 10 };
  const back = viewOfBox(boxOfView(view, 800, 600), 800, 600);
  assert.ok(Math.abs(back.zoom - view.zoom) < 1e-6);
  assert.ok(Math.abs(back.longitude - view.longitude) < 1e-9);
  assert.ok(Math.abs(back.latitude - view.latitude) < 1e-6);
});

test('the view of a point has at most the given zoom', () => {
  assert.equal(viewOfBox([1, 2, 1, 2], 400, 400, 14).zoom, 14);
});

test('the view of a box across the antimeridian has its centre there', () => {
  assert.equal(wrapLongitude(viewOfBox([170, -10, -170, 10], 400, 400).longitude), 180);
});

test('calculates distances on the Earth', () => {
  assert.ok(Math.abs(distance([0, 0], [0, 1]) - 111_195) < 1);
  assert.equal(distance([5, 5], [5, 5]), 0);
  assert.ok(Math.abs(distance([179.5, 0], [-179.5, 0]) - 111_195) < 1);
});

test('calculates a destination at the given distance', () => {
  for (const bearing of [0, 90, 225]) {
    assert.ok(Math.abs(distance([-16.9, 32.65], destination([-16.9, 32.65], bearing, 5_000)) - 5_000) < 0.01);
  }
});

test('rings are closed', () => {
  const round = circle([0, 0], 100);
  assert.deepEqual(round[0], round[round.length - 1]);
  const slice = wedge([0, 0], 90, 60, 100);
  assert.deepEqual(slice[0], [0, 0]);
  assert.deepEqual(slice[slice.length - 1], [0, 0]);
  assert.ok(slice[2][0] > 0);
});

test('the circle of an imprecise point contains its whole cell', () => {
  assert.equal(uncertainty('exact'), null);
  assert.equal(uncertainty(null), null);
  assert.ok(/** @type {number} */ (uncertainty('100m')) >= 50 * Math.SQRT2);
  assert.ok(/** @type {number} */ (uncertainty('area')) >= 5_000 * Math.SQRT2);
});

test('a map without streets shows lines at round coordinates at a high zoom only', () => {
  assert.equal(graticule({ longitude: 0, latitude: 0, zoom: 9 }).features.length, 0);
  for (const zoom of [11.5, 14, 19]) {
    const { features } = graticule({ longitude: -16.9, latitude: 32.65, zoom });
    assert.ok(features.length > 8 && features.length < 60, `${features.length} at ${zoom}`);
  }
  const names = graticule({ longitude: -16.9, latitude: 32.65, zoom: 14 }).features.map((line) => line.properties.name);
  assert.ok(names.includes('32.65°'), names.join(' '));
});

test('calculates the compass point of one place from another', () => {
  /** @type {[[number, number], [number, number], number][]} */
  const ways = [
    [[0, 0], [0, 1], 0], [[0, 0], [1, 0], 90], [[0, 1], [0, 0], 180], [[1, 0], [0, 0], 270],
    [[179.9, 0], [-179.9, 0], 90],
  ];
  for (const [from, to, expected] of ways) assert.equal(Math.round(bearingTo(from, to)), expected);
});
