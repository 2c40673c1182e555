// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { boxOfCells, fullestPart } from '../../public/js/map/box-of-cells.js';
import { CONTINENTS, devicesIn, fullest } from '../../public/js/map/continents.js';

/** @param {[number, number, number][]} cells x, y, count */
const grid = (...cells) => ({ zoom: 3, coarser: 0, cells: cells.map(([x, y, count]) => ({ x, y, count })) });

test('without devices there is no box', () => {
  assert.equal(boxOfCells(grid()), null);
});

test('the box contains all cells', () => {
  const [west, south, east, north] = boxOfCells(grid([2, 2, 5], [3, 3, 5])) ?? [];
  assert.deepEqual([west, east], [-90, 0]);
  assert.ok(Math.abs(north - 66.513) < 0.001 && Math.abs(south) < 0.001);
});

test('a few far devices do not widen the box, unless they are more than two in a hundred', () => {
  const box = (/** @type {number} */ far) => boxOfCells(grid([2, 3, 1_000], [6, 3, far]));
  assert.deepEqual(box(20)?.[2], -45);
  assert.deepEqual(box(30)?.[2], 135);
});

test('the box crosses the antimeridian if that is narrower', () => {
  const [west, , east] = boxOfCells(grid([7, 4, 5], [0, 4, 5])) ?? [];
  assert.deepEqual([west, east], [135, -135]);
  const [other, , end] = boxOfCells(grid([3, 4, 5], [4, 4, 5])) ?? [];
  assert.deepEqual([other, end], [-45, 45]);
});

test('the fullest square has the most devices together, not the fullest cell', () => {
  const cells = (/** @type {number} */ size) => fullestPart(grid([0, 0, 5], [5, 5, 3], [4, 4, 3], [7, 7, 1]), size).cells
    .map(({ x }) => x);
  assert.deepEqual(cells(0), [0]);
  assert.deepEqual(cells(1), [5, 4]);
  assert.deepEqual(fullestPart(grid(), 2).cells, []);
});

test('every time zone leads to its country, also under a former name', async () => {
  await import('../../public/js/first-visit.js');
  const { farolCountryOf: countryOf } = /** @type {any} */ (globalThis);
  const table = readFileSync(new URL('../../setup/zone-countries.tsv', import.meta.url), 'utf8').trim().split('\n');
  assert.ok(table.length > 200);
  for (const [code, zones] of table.map((line) => line.split('\t'))) {
    for (const zone of zones.split(' ')) assert.equal(countryOf(zone), code, zone);
  }
  assert.equal(countryOf('Asia/Calcutta'), 'IN');
  assert.equal(countryOf('Europe/Kiev'), 'UA');
  assert.equal(countryOf('Asia'), undefined);
  for (const unknown of ['UTC', 'Etc/GMT+3', 'Europe/Atlantis', '']) assert.equal(countryOf(unknown), undefined);
});

test('every country has a continent with a frame', async () => {
  await import('../../public/js/first-visit.js');
  const { farolContinentOf: continentOf } = /** @type {any} */ (globalThis);
  const table = readFileSync(new URL('../../setup/zone-countries.tsv', import.meta.url), 'utf8').trim().split('\n');
  for (const [code] of table.map((line) => line.split('\t'))) assert.ok(CONTINENTS[continentOf(code)], code);
  for (const [code, continent] of [
    ['PT', 'europe'], ['ES', 'europe'], ['IN', 'asia'], ['BR', 'south_america'], ['US', 'north_america'],
    ['CV', 'africa'], ['IS', 'europe'], ['RU', 'europe'], ['EG', 'africa'], ['NZ', 'oceania'], ['TR', 'europe'],
  ]) assert.equal(continentOf(code), continent, code);
  assert.equal(continentOf('XX'), undefined);
});

test('devices are counted on a continent, and the fullest one is found', () => {
  // Cells of zoom 3 are 45 degrees wide: one cell is in the middle of Europe, another in North America.
  const world = grid([4, 2, 7], [2, 3, 9]);
  assert.equal(devicesIn(world), 16);
  assert.equal(devicesIn(world, CONTINENTS.europe), 7);
  assert.equal(fullest(world), CONTINENTS.north_america);
  assert.equal(fullest(grid()), null);
  // Most devices are on islands outside of all frames.
  assert.equal(fullest(grid([4, 2, 7], [3, 4, 9])), null);
});
