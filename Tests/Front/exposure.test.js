import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countPassed } from '../../public/js/exposure/count.js';
import { exposureFor, exposureOfEdges, priceOf } from '../../public/js/exposure/edges.js';
import { KINDS, kindsOfData, kindsOfMode, weightOf } from '../../public/js/exposure/kinds.js';
import { exposureOnPiece, passedOn, SensorIndex, strength } from '../../public/js/exposure/model.js';
import { reachOf } from '../../public/js/exposure/reach.js';
import {
  cellPath, cellsOfBoxes, cellsOfWays, MOST_CELLS, steadyRandom, withDecoyCells,
} from '../../public/js/exposure/regions.js';
import { freshness, readSensor } from '../../public/js/exposure/sensor.js';
import { destination } from '../../public/js/geography.js';
import { boxOfCell, cellOf, cellsAround, neighbours } from '../../public/js/local-watches/grid.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const PLACE = [6.1432, 46.2044];
const collects = (category) => ({ camera_fixed: ['video'], alpr: ['plate', 'still_image'] })[category] ?? [];

function feature({ id = 'a', place = PLACE, ...properties } = {}) {
  return {
    type: 'Feature', id, geometry: { type: 'Point', coordinates: place },
    properties: {
      name: id, category: 'camera_fixed', status: 'confirmed', precision: 'exact', data_collected: ['video'],
      ...properties,
    },
  };
}
const sensor = (given) => readSensor(feature(given), NOW, collects);
/** A straight way that passes `aside` metres north of the place, from `half` metres west to `half` metres east. */
function past(aside, half = 200, place = PLACE) {
  const middle = destination(place, 0, aside);
  return [destination(middle, 270, half), destination(middle, 90, half)];
}
const near = (actual, expected, share = 0.01) => assert.ok(
  Math.abs(actual - expected) <= Math.abs(expected) * share, `${actual} instead of ${expected}`);

// The worked examples of docs/explanation/exposure.md

test('example 1: a turning camera beside the way', () => {
  // The integral of 1 - (x² + d²)/R² over the chord: 4/3 (R² - d²)^1.5 / R² = 76.7 for R = 60 and d = 10.
  const camera = sensor({ category: 'camera_ptz' });
  assert.equal(camera.trust, 1);
  const [from, to] = past(10);
  const { metres, nearest } = exposureOnPiece(camera, from, to);
  near(metres, (4 / 3) * (60 ** 2 - 10 ** 2) ** 1.5 / 60 ** 2);
  near(metres, 76.7);
  near(nearest, 10, 0.05);
});

test('example 2: the same camera, reported two years after its record became old', () => {
  const camera = sensor({ category: 'camera_ptz', status: 'reported', stale_on: '2024-11-30' });
  near(camera.trust, 0.2, 0.01); // 0.8 × 0.25
  near(exposureOnPiece(camera, ...past(10)).metres, 15.3);
});

test('example 3: a fixed camera that looks away from the way, and one that looks at it', () => {
  const away = sensor({ bearings: [180] });
  assert.equal(exposureOnPiece(away, ...past(10)).metres, 0);
  assert.deepEqual(passedOn(new SensorIndex([away]), past(10)), []);
  const facing = sensor({ bearings: [0] });
  const blind = sensor({});
  assert.ok(exposureOnPiece(facing, ...past(10)).metres > 15);
  // Its direction is unknown: half of a camera that sees all around.
  near(exposureOnPiece(blind, ...past(10)).metres, 0.5 * (4 / 3) * (40 ** 2 - 10 ** 2) ** 1.5 / 40 ** 2);
});

test('example 4: a plate reader counts for a car only, and more than a camera', () => {
  const reader = sensor({ category: 'alpr', data_collected: ['plate', 'still_image'] });
  assert.deepEqual(reader.kinds, ['video', 'plates']);
  assert.equal(weightOf(reader.kinds, kindsOfMode('driving')), 2);
  assert.equal(weightOf(reader.kinds, kindsOfMode('walking')), 1);
  assert.equal(weightOf(reader.kinds, ['sound']), 0);
});

// The parts of the model

test('the strength falls with the distance and ends at the range', () => {
  const camera = sensor({ category: 'camera_ptz' });
  assert.equal(strength(camera, 0, 0), 1);
  assert.equal(strength(camera, 30, 0), 0.75);
  assert.equal(strength(camera, 0, -60), 0);
  assert.equal(strength(camera, 61, 0), 0);
});

test('a field of view fades at its edges, at north as well', () => {
  const camera = sensor({ bearings: [350], field_of_view: 40 });
  const at = (bearing) => strength(camera, 10 * Math.sin(bearing * Math.PI / 180), 10 * Math.cos(bearing * Math.PI / 180));
  const full = at(350);
  assert.ok(full > 0.9);
  near(at(8), full);
  near(at(15), full / 2);
  assert.equal(at(25), 0);
  near(at(332), full);
  assert.equal(at(180), 0);
  assert.equal(strength(camera, 0, 0), 1, 'below it');
});

test('an old record counts less, but never nothing', () => {
  assert.equal(freshness(null, NOW), 1);
  assert.equal(freshness('2027-01-01', NOW), 1);
  near(freshness('2025-11-30', NOW), 0.5);
  assert.equal(freshness('1990-01-01', NOW), 0.25);
  assert.equal(freshness('nonsense', NOW), 1);
});

test('a coarse point spreads the device, and a rough one is not counted as passed', () => {
  const coarse = sensor({ precision: '100m', bearings: [0] });
  assert.deepEqual(coarse.bearings, [], 'the direction means nothing there');
  near(coarse.range, 40 + 70.7);
  assert.ok(coarse.trust < 0.1);
  assert.equal(coarse.isCoarse, false);
  const rough = sensor({ precision: '1km' });
  assert.equal(rough.isCoarse, true);
  assert.deepEqual(passedOn(new SensorIndex([rough]), past(10)), []);
});

test('devices that collect nothing about people who pass are left out, and so is nonsense', () => {
  for (const given of [
    { category: 'environment', data_collected: ['ambient'] }, { category: 'smart_meter' }, { status: 'removed' },
    { data_collected: ['usage'] }, { place: [200, 10] }, { place: ['6', '46'] }, { place: [NaN, 1] }, { category: 4 },
    { category: 'other', data_collected: [] },
  ]) assert.equal(sensor(given), null, JSON.stringify(given));
  assert.equal(readSensor(null, NOW, collects), null);
  assert.deepEqual(sensor({ data_collected: [] }).kinds, ['video'], 'of the category');
  assert.equal(sensor({ operator: { name: '  ' } }).operator, null);
  assert.equal(reachOf('constructor').range, 15);
});

test('kinds follow the codes of the vocabulary', () => {
  assert.deepEqual(kindsOfData(['speech', 'video', 'biometric_template']), ['video', 'faces', 'sound']);
  assert.deepEqual(kindsOfData(['radio_id', 'presence_count']), ['radio', 'counts']);
  assert.deepEqual(kindsOfData(['usage', 'account_id', 'ambient']), []);
  assert.equal(kindsOfMode('cycling').includes('plates'), false);
  assert.deepEqual(kindsOfMode('driving'), KINDS);
});

test('the sum over pieces is the exposure of the whole way', () => {
  const index = new SensorIndex([sensor({ category: 'camera_ptz' })]);
  const [from, to] = past(20);
  const way = Array.from({ length: 41 }, (_, i) => [
    from[0] + ((to[0] - from[0]) * i) / 40, from[1] + ((to[1] - from[1]) * i) / 40]);
  const [whole] = passedOn(index, [from, to]);
  const [parts] = passedOn(index, way);
  near(parts.metres, whole.metres, 0.02);
  near(parts.nearest, 20, 0.05);
});

test('the index finds the same devices as a search through all of them', () => {
  const random = steadyRandom('index');
  const sensors = Array.from({ length: 300 }, (_, i) => sensor({
    id: String(i), category: ['camera_ptz', 'alpr', 'wifi_hotspot'][i % 3], data_collected: ['video', 'radio_id'],
    place: [6.14 + random() * 0.03, 46.2 + random() * 0.02],
  }));
  const index = new SensorIndex(sensors);
  for (let i = 0; i < 100; i += 1) {
    const from = [6.14 + random() * 0.03, 46.2 + random() * 0.02];
    const to = destination(from, random() * 360, random() * 300);
    const expected = sensors.filter((one) => exposureOnPiece(one, from, to).nearest < Infinity).map(({ id }) => id);
    const found = passedOn(index, [from, to]).map(({ sensor: one }) => one.id);
    assert.deepEqual(found.sort(), expected.sort());
  }
});

test('devices on both sides of the antimeridian and near the pole are found', () => {
  for (const [longitude, latitude] of [[180, -16.5], [-180, -16.5], [-179.9999, 10], [12, 78.2]]) {
    const index = new SensorIndex([sensor({ place: [longitude, latitude], category: 'camera_ptz' })]);
    assert.equal(passedOn(index, past(10, 200, [longitude, latitude])).length, 1, String(longitude));
  }
});

test('standing still next to a device passes it, without metres of way', () => {
  const index = new SensorIndex([sensor({ category: 'camera_ptz' })]);
  const place = destination(PLACE, 0, 15);
  const [found] = passedOn(index, [place, place]);
  assert.equal(found.metres, 0);
  near(found.nearest, 15, 0.01);
});

// Edges of a graph

test('exposure of edges adds up by the kinds that are avoided', () => {
  const index = new SensorIndex([
    sensor({ id: 'camera', category: 'camera_ptz' }),
    sensor({ id: 'hotspot', category: 'wifi_hotspot', data_collected: ['radio_id'], place: destination(PLACE, 90, 1_000) }),
  ]);
  const shapes = [past(10), past(10, 100, destination(PLACE, 90, 1_000)), past(5_000)];
  const layers = exposureOfEdges(index, 3, (edge) => shapes[edge]);
  const all = exposureFor(layers, 3, KINDS);
  assert.ok(all[0] > 70 && all[1] > 50);
  assert.equal(all[2], 0);
  assert.deepEqual([...exposureFor(layers, 3, ['radio'])].map(Boolean), [false, true, false]);
  assert.deepEqual([...exposureFor(layers, 3, [])], [0, 0, 0]);
  assert.deepEqual(exposureOfEdges(new SensorIndex([]), 3, () => assert.fail()), []);
});

test('the slider begins at the shortest way', () => {
  assert.equal(priceOf(0), 0);
  assert.equal(priceOf(-1), 0);
  assert.equal(priceOf(1), 50);
  assert.equal(priceOf(7), 50);
  assert.ok(priceOf(0.5) > priceOf(0.4));
});

// Counts

test('a device counts once, whoever runs it', () => {
  const one = (id, category, operator, kinds) => ({ id, category, operator, kinds });
  const count = countPassed([
    one('a', 'camera_fixed', 'Town', ['video']), one('a', 'camera_fixed', 'Town', ['video']),
    one('b', 'alpr', 'Police', ['video', 'plates']), one('c', 'alpr', 'Town', ['plates']),
    one('d', 'camera_fixed', null, ['video']),
  ]);
  assert.equal(count.devices, 4);
  assert.deepEqual(count.categories, [{ category: 'alpr', count: 2 }, { category: 'camera_fixed', count: 2 }]);
  assert.deepEqual(count.kinds, [{ kind: 'video', count: 3 }, { kind: 'plates', count: 2 }]);
  assert.deepEqual(count.operators.map(({ operator, devices, kinds }) => [operator, devices.length, kinds]),
    [['Town', 2, ['video', 'plates']], ['Police', 1, ['video', 'plates']]]);
  assert.equal(count.unnamed, 1);
});

// Regions

test('cells and their boxes belong together, everywhere', () => {
  for (const place of [[6.1, 46.2], [-76.6, 39.3], [179.99, 10], [-180, -60], [10, 80], [0, 89], [0, -89.5]]) {
    const [west, south, east, north] = boxOfCell(cellOf(place));
    assert.ok(place[0] >= west && place[0] <= east && place[1] >= south && place[1] <= north, String(place));
    assert.equal(cellOf([west, south]), cellOf(place));
  }
  assert.equal(neighbours(cellOf([6.1, 46.1])).length, 8);
});

test('every walk in a region reads the same cells, in whatever part of it', () => {
  const walk = (...places) => cellsOfWays([places]);
  const one = walk([6.26, 46.12], [6.27, 46.13], [6.28, 46.12]);
  assert.equal(one.length, 9);
  for (const other of [
    walk([6.001, 46.001]), walk([6.4999, 46.2499], [6.4, 46.2]), walk([6.3, 46.1], [6.301, 46.1], [6.3, 46.1]),
  ]) assert.deepEqual(other, one);
  assert.notDeepEqual(walk([6.51, 46.1]), one);
  assert.deepEqual(cellsOfBoxes([[6.1, 46.1, 6.2, 46.2]]), one);
  assert.deepEqual(cellsOfBoxes([]), []);
});

test('a long journey reads the cells along it and around them; one around the world is too long', () => {
  const journey = Array.from({ length: 400 }, (_, i) => [i * 0.05, 10]);
  const cells = cellsOfWays([journey]);
  assert.ok(cells.length > 80 * 3 && cells.length < 90 * 3, String(cells.length));
  for (const place of journey) assert.ok(cells.includes(cellOf(place)));
  assert.equal(cellsOfWays([Array.from({ length: 20_000 }, (_, i) => [(i % 3_600) / 10 - 180, (i / 250) - 40])]), null);
  assert.ok(MOST_CELLS > cells.length);
});

test('a way across the antimeridian stays small', () => {
  const cells = cellsOfWays([[[179.99, -16.5], [-179.99, -16.5], [179.98, -16.51]]]);
  assert.deepEqual(cells, cellsAround({ type: 'box', box: [179.98, -16.51, -179.99, -16.5] }).sort((a, b) => a - b));
  assert.equal(cells.length, 9);
});

test('the address of a cell has nothing but the cell', () => {
  assert.equal(cellPath(cellOf([6.1432, 46.2044])), '/api/collections/devices/items?bbox=6,46,6.5,46.25'
    + '&limit=10000&properties=bearings,field_of_view,setting,stale_on');
});

test('decoys have the shape of the region, and are the same at each visit', () => {
  const cells = cellsAround({ type: 'circle', centre: [6.1, 46.1], radius: 500 });
  const anchors = [[2.3, 48.8], [-76.6, 39.3], [13.4, 52.5], [-8.6, 41.1], [139.7, 35.6]]
    .map((position, i) => ({ position, count: 100 * (i + 1) }));
  const hidden = withDecoyCells(cells, anchors, 3, 'seed');
  assert.equal(hidden.length, 36);
  for (const cell of cells) assert.ok(hidden.includes(cell));
  assert.deepEqual(withDecoyCells(cells, anchors, 3, 'seed'), hidden);
  // A new device elsewhere changes nothing.
  assert.deepEqual(withDecoyCells(cells, [...anchors, { position: [100, 13], count: 1 }], 3, 'seed'), hidden);
  assert.notDeepEqual(withDecoyCells(cells, anchors, 3, 'another'), hidden);
  assert.deepEqual(withDecoyCells(cells, [], 3, 'seed'), [...cells].sort((a, b) => a - b));
  assert.deepEqual(withDecoyCells([], anchors, 3, 'seed'), []);
});
