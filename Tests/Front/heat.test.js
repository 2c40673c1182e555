// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cellAt, cellBox, cellMiddle, COLOURS, densest, gridZoom, heatColour, heatFeatures, heatPoints, heatSteps,
} from '../../public/js/map/heat.js';
import { PALETTES } from '../../public/js/map/palette.js';

test('cells follow the zoom up to the finest grid of the API', () => {
  assert.deepEqual([0, 3.2, 8.99, 13, 19].map((zoom) => gridZoom(zoom)), [4, 7, 12, 17, 17]);
  assert.deepEqual([0, 3.2, 8.99, 13].map((zoom) => gridZoom(zoom, 'smooth')), [5, 8, 13, 17]);
});

test('colours start at one and then at round numbers, none above the maximum', () => {
  assert.deepEqual(heatSteps(1), [1]);
  assert.deepEqual(heatSteps(3), [1, 2]);
  assert.deepEqual(heatSteps(5_483), [1, 5, 20, 200, 1_000]);
  for (const most of [1, 2, 7, 10, 99, 1_000, 123_456]) {
    const steps = heatSteps(most);
    assert.ok(steps.length <= COLOURS && steps.every((step) => step <= most), String(most));
    assert.deepEqual(steps, [...new Set(steps)].sort((a, b) => a - b));
  }
});

test('a count has the last colour that starts at or below it', () => {
  assert.deepEqual([1, 4, 5, 49, 50, 5_483].map((count) => heatColour(count, [1, 5, 50])), [0, 0, 1, 1, 2, 2]);
});

test('a cell is the square of its tile', () => {
  const { features } = heatFeatures({ zoom: 1, coarser: 0, cells: [{ x: 0, y: 1, count: 3 }] }, [1, 2]);
  assert.deepEqual(features[0].properties, { count: 3, colour: 1 });
  const [[west, south], , [east, north]] = features[0].geometry.coordinates[0];
  assert.deepEqual([west, east], [-180, 0]);
  assert.ok(Math.abs(south + 85.0511) < 1e-4 && Math.abs(north) < 1e-9);
  const [longitude, latitude] = cellMiddle({ x: 0, y: 0, count: 1 }, 0);
  assert.ok(longitude === 0 && Math.abs(latitude) < 1e-9);
});

test('the smooth heat map has a point in the middle of each cell, heavier for more devices', () => {
  const cells = [{ x: 0, y: 0, count: 1 }, { x: 1, y: 0, count: 30 }, { x: 1, y: 1, count: 10_000 }];
  const { features } = heatPoints({ zoom: 1, coarser: 0, cells });
  const weights = features.map(({ properties }) => properties.weight);
  assert.deepEqual(weights, [...weights].sort((a, b) => a - b));
  assert.ok(weights[0] > 0.15 && weights[0] < 0.3 && weights[2] === 1, String(weights));
  assert.deepEqual(features[0].geometry.coordinates, cellMiddle(cells[0], 1));
  assert.deepEqual(heatPoints({ zoom: 1, coarser: 0, cells: [] }).features, []);
});

test('finds the cell whose box contains a position', () => {
  const cell = { x: 7429, y: 6633, count: 4 };
  const grid = { zoom: 14, coarser: 0, cells: [{ x: 7428, y: 6633, count: 1 }, cell, { x: 7429, y: 6634, count: 2 }] };
  const [west, south, east, north] = cellBox(cell, 14);
  const [middle, height] = cellMiddle(cell, 14);
  assert.ok(west < middle && middle < east && south < height && height < north);
  assert.equal(cellAt(grid, [middle, height]), cell);
  assert.equal(cellAt(grid, [middle - 360, height]), cell, 'around the world');
  assert.equal(cellAt(grid, [west - 1e-6, height])?.count, 1);
  assert.equal(cellAt(grid, [middle, south - 1e-6])?.count, 2);
  assert.equal(cellAt(grid, [east + 1e-6, height]), null);
  assert.equal(cellAt(grid, [middle, north + 1e-6]), null);
});

test('the densest cell is the first with the highest count', () => {
  assert.equal(densest([]), null);
  assert.deepEqual(densest([{ x: 1, y: 1, count: 2 }, { x: 2, y: 2, count: 5 }, { x: 3, y: 3, count: 5 }]),
    { x: 2, y: 2, count: 5 });
});

test('each theme has a colour for every step', () => {
  for (const { heat } of Object.values(PALETTES)) assert.equal(new Set(heat).size, COLOURS);
});
