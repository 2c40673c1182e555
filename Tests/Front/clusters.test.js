// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawnClusters, joinedBox, ring, sizeClass } from '../../public/js/map/clusters.js';

const DIAMETERS = [42, 46, 52, 58];
const familyOf = (/** @type {string} */ category) => (category === 'alpr' ? 'plate' : 'camera');
const ZOOM = 4;
const DEGREES = 360 / (512 * 2 ** ZOOM); // per pixel, along the equator

/**
 * @param {number} x pixels east of the meridian of Greenwich @param {number} count @param {object} [more]
 */
function cluster(x, count, more = {}) {
  const longitude = x * DEGREES;
  return {
    geometry: { coordinates: /** @type {[number, number]} */ ([longitude, 0]) },
    properties: {
      count, west: longitude - 1, east: longitude + 1, south: -1, north: 1, category_1: 'alpr', count_1: count, ...more,
    },
  };
}

test('the box of joined clusters may cross the antimeridian', () => {
  for (const [one, other, joined] of [
    [[1, 1, 2, 2], [3, 0, 4, 1], [1, 0, 4, 2]],
    [[178, 0, 179, 1], [-179, 0, -178, 1], [178, 0, -178, 1]],
    [[-179, 0, -178, 1], [178, 0, 179, 1], [178, 0, -178, 1]],
    [[179, 0, -179, 1], [170, 0, 171, 1], [170, 0, -179, 1]],
    [[179, 0, -179, 1], [-170, 0, -169, 1], [179, 0, -169, 1]],
    [[-180, 0, 10, 1], [5, 0, 180, 1], [-180, 0, 180, 1]],
  ]) assert.deepEqual(joinedBox(/** @type {any} */ (one), /** @type {any} */ (other)), joined);
});

test('clusters on both sides of the antimeridian become one', () => {
  const edge = 180 / DEGREES;
  const [one, ...rest] = drawnClusters(
    [cluster(edge - 10, 70, { west: 179, east: 179.5 }), cluster(10 - edge, 5, { west: -179.5, east: -179 })],
    ZOOM, DIAMETERS, familyOf);
  assert.deepEqual(rest, []);
  assert.deepEqual([one.properties.count, one.properties.west, one.properties.east], [75, 179, -179]);
});

test('two clusters that would overlap become one with the sum of their counts, at the place of the larger', () => {
  const [one, ...rest] = drawnClusters([cluster(30, 5), cluster(0, 70)], ZOOM, DIAMETERS, familyOf);
  assert.deepEqual(rest, []);
  assert.equal(one.properties.count, 75);
  assert.deepEqual(one.geometry.coordinates, [0, 0]);
  assert.equal(one.properties.west, -1);
  assert.equal(one.properties.east, 30 * DEGREES + 1);
});

test('clusters stay apart from the distance at which they only touch', () => {
  const at = (/** @type {number} */ pixels) => (
    drawnClusters([cluster(0, 5), cluster(pixels, 7)], ZOOM, DIAMETERS, familyOf).length);
  assert.equal(at(43), 1);
  assert.equal(at(44.01), 2);
});

test('no drawn clusters overlap, and no device is lost, wherever the clusters of the tiles are', () => {
  let seed = 7;
  const random = () => { seed = (seed * 16_807) % 2_147_483_647; return seed / 2_147_483_647; };
  const given = Array.from({ length: 400 }, () => (
    cluster(random() * 900, Math.ceil(10 ** (random() * 5)))));
  for (const one of given) one.geometry.coordinates[1] = random() * 30;
  const drawn = drawnClusters(given, ZOOM, DIAMETERS, familyOf);
  const sum = (/** @type {{properties: any}[]} */ from) => from.reduce((all, one) => all + one.properties.count, 0);
  assert.equal(sum(drawn), sum(given));
  assert.ok(drawn.length > 20);
  const pixels = (/** @type {any} */ { geometry: { coordinates: [longitude, latitude] } }) => {
    const sine = Math.sin((latitude * Math.PI) / 180);
    return [longitude / DEGREES, -Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) * 512 * 2 ** ZOOM];
  };
  for (const [place, one] of drawn.entries()) {
    for (const other of drawn.slice(place + 1)) {
      const [a, b] = [pixels(one), pixels(other)];
      const least = [one, other].reduce(
        (all, { properties }) => all + DIAMETERS[sizeClass(properties.count)] / 2, 0);
      assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) >= least, JSON.stringify([one, other]));
    }
  }
});

test('a joined cluster is a stack only if all its devices are at one place', () => {
  const stack = { stack: true, west: 0, east: 0, south: 0, north: 0 };
  const isStack = (/** @type {object} */ other) => (
    drawnClusters([cluster(0, 5, stack), cluster(1, 3, other)], ZOOM, DIAMETERS, familyOf)[0].properties.stack);
  assert.equal(isStack(stack), true);
  assert.equal(isStack({ ...stack, east: 0.001, west: 0.001 }), false);
  assert.equal(isStack({}), false);
});

test('the most frequent category of all members names a joined cluster', () => {
  const given = [
    cluster(0, 50, { category_1: 'alpr', count_1: 26, category_2: 'webcam', count_2: 24 }),
    cluster(5, 40, { category_1: 'webcam', count_1: 40 }),
  ];
  const [{ properties }] = drawnClusters(given, ZOOM, DIAMETERS, familyOf);
  assert.deepEqual([properties.category_1, properties.count_1], ['webcam', 64]);
  assert.deepEqual([properties.category_2, properties.count_2], ['alpr', 26]);
  assert.match(String(properties.look), /^webcam\//);
});

test('the ring gives each family its share in twelfths, at least one, and never more than the whole', () => {
  const parts = (/** @type {[string, number][]} */ categories, /** @type {number} */ count) => (
    ring(new Map(categories), count, familyOf));
  assert.equal(parts([['webcam', 3], ['alpr', 2], ['camera_fixed', 1]], 12), 'camera4plate2');
  assert.equal(parts([['webcam', 1]], 1_000), 'camera1');
  assert.equal(parts([['webcam', 999], ['alpr', 1]], 1_000), 'camera12');
  assert.equal(parts([['webcam', 12]], 12), 'camera12');
  assert.equal(parts([], 5), '');
});

test('clusters have four sizes', () => {
  assert.deepEqual([2, 99, 100, 1_999, 2_000, 19_999, 20_000].map(sizeClass), [0, 0, 1, 1, 2, 2, 3]);
});
