import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  areaOf, boxOf, cornersOf, drawingOf, hoursOf, isInside, readCorners, writeCorners,
} from '../../public/js/mapping-days/days.js';

const SQUARE = areaOf([[6, 46], [7, 46], [7, 47], [6, 47]]);

test('an area repeats its first corner, and gives its corners and its box back', () => {
  assert.deepEqual(SQUARE.coordinates[0].at(-1), [6, 46]);
  assert.deepEqual(cornersOf(SQUARE).length, 4);
  assert.deepEqual(boxOf(SQUARE), [6, 46, 7, 47]);
});

test('a point is inside or outside, also in a bay', () => {
  const bay = areaOf([[0, 0], [4, 0], [4, 4], [2, 1], [0, 4]]);
  assert.equal(isInside(bay, [1, 1]), true);
  assert.equal(isInside(bay, [2, 3]), false);
  assert.equal(isInside(bay, [5, 1]), false);
  assert.equal(isInside(SQUARE, [6.5, 46.5]), true);
});

test('typed corners are latitude and longitude, one in each line', () => {
  assert.deepEqual(readCorners('46, 6\n46, 7\n\n47 7'), [[6, 46], [7, 46], [7, 47]]);
  assert.deepEqual(readCorners(writeCorners(cornersOf(SQUARE))), cornersOf(SQUARE));
  for (const wrong of ['', '46, 6\n46, 7', '46, 6\n46, 7\nx, 7', '95, 6\n46, 7\n47, 7', '46, 6, 1\n46, 7\n47, 7']) {
    assert.equal(readCorners(wrong), null, wrong);
  }
});

test('hours until now have a bar each, empty ones included', () => {
  const day = { starts_at: '2027-05-08T09:00:00Z', ends_at: '2027-05-08T12:30:00Z' };
  const progress = /** @type {any} */ ({ hours: [{ hour: 1, kind: 'added', count: 2 },
    { hour: 1, kind: 'confirmed', count: 3 }] });
  const at = (/** @type {string} */ time) => hoursOf(day, progress, Date.parse(time)).map(({ count }) => count);
  assert.deepEqual(at('2027-05-08T09:00:00Z'), [0]);
  assert.deepEqual(at('2027-05-08T10:30:00Z'), [0, 5]);
  assert.deepEqual(at('2027-05-09T00:00:00Z'), [0, 5, 0, 0]);
});

test('the drawing has the area and a ring around each contribution', () => {
  const { features } = drawingOf(SQUARE, [[6.5, 46.5]]);
  assert.deepEqual(features.map(({ properties }) => properties.part), ['cell', 'point']);
});
