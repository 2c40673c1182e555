// @ts-check
// Visits: the requests for the list, cells, hours, times to plan, and links.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distance } from '../../public/js/geography.js';
import { boxOfCell, cellOf } from '../../public/js/visits/cells.js';
import { joined, TIMES } from '../../public/js/visits/hours.js';
import { Reminders } from '../../public/js/visits/reminders.js';
import {
  allowedBox, asDevice, geoAddress, listPath, localInput, mailedIn, minutesLeft, planLimits, plannedFor,
} from '../../public/js/visits/visits.js';

/** @typedef {import('../../public/js/types').Box} Box */
/** @typedef {import('../../public/js/types').Position} Position */

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-30T12:00:00Z');

// Cells

test('a cell contains its positions and is at least two kilometres wide and high', () => {
  for (const here of /** @type {Position[]} */ ([
    [-16.92, 32.65], [0, 0], [-0.001, -0.001], [179.999, 71], [-180, -45], [15.6, 78.2], [12, 89.9], [6.14, 46.2],
  ])) {
    const box = boxOfCell(cellOf(here));
    assert.ok(box);
    const [west, south, east, north] = box;
    assert.ok(west <= here[0] && here[0] <= east && south <= here[1] && here[1] <= north, `${here} in ${box}`);
    // Half of the way around is the longest that a distance can be, so a polar cell is measured at its middle.
    if (Math.abs(here[1]) < 89) {
      assert.ok(distance([west, here[1]], [east, here[1]]) > 2_000, `${here}: width`);
      assert.ok(distance([west, here[1]], [east, here[1]]) < 3_000, `${here}: width`);
    }
    assert.ok(distance([0, south], [0, north]) > 2_200);
    assert.equal(cellOf([(west + east) / 2, (south + north) / 2]), cellOf(here));
  }
});

test('the poles and the antimeridian have cells, and names of other cells are refused', () => {
  assert.equal(cellOf([0, 90]).split('-')[0], '8999');
  assert.equal(cellOf([0, -90]).split('-')[0], '0');
  assert.ok(boxOfCell(cellOf([180, 0])));
  for (const cell of ['', '9000-0', '0-1000', '1-', 'a-b', '1-2-3', '-1-2', '4500-18000']) {
    assert.equal(boxOfCell(cell), null, cell);
  }
});

// The list

test('a request names at most four square degrees around the middle of the map', () => {
  assert.deepEqual(allowedBox([1, 2, 2, 3]), [1, 2, 2, 3]);
  const [west, south, east, north] = allowedBox([0, 0, 40, 20]);
  assert.ok((east - west) * (north - south) <= 4);
  assert.ok((east - west) * (north - south) > 3.9);
  assert.ok(Math.abs((west + east) / 2 - 20) < 1e-9 && Math.abs((south + north) / 2 - 10) < 1e-9);
});

test('a box across the antimeridian stays there', () => {
  const [west, , east] = allowedBox([170, -10, -170, 10]);
  assert.ok(west > 178 && west < 180 && east < -178 && east > -180, `${west} ${east}`);
});

test('the filters and the next page are parameters', () => {
  const box = /** @type {Box} */ ([1, 2, 2, 3]);
  assert.equal(listPath({ box, reasons: [], categories: [] }), '/api/visits?bbox=1%2C2%2C2%2C3');
  const { searchParams } = new URL(listPath({
    box, reasons: ['stale', 'no_photo'], categories: ['alpr'], cursor: 'x+y',
  }), 'https://x');
  assert.deepEqual(Object.fromEntries(searchParams), {
    bbox: '1,2,2,3', reason: 'stale,no_photo', category: 'alpr', cursor: 'x+y',
  });
});

test('the device of a visit is like any other device', () => {
  const device = asDevice({
    id: '7', name: 'Gate', category: 'alpr', position: { type: 'Point', coordinates: [1, 2] },
  });
  assert.deepEqual([device.id, device.name, device.category, device.position], ['7', 'Gate', 'alpr', [1, 2]]);
});

test('the link for navigation names latitude and longitude, and a name cannot break out', () => {
  const position = /** @type {const} */ ({ type: 'Point', coordinates: /** @type {Position} */ ([-16.9, 32.65]) });
  assert.equal(geoAddress({ id: '1', name: 'Gate (old)&q=1', category: 'other', position }),
    'geo:32.650000,-16.900000?q=32.650000,-16.900000(Gate%20(old)%26q%3D1)');
});

test('the mail names its offer or its request', () => {
  assert.deepEqual(mailedIn('#offer=abc-1'), { kind: 'offer', id: 'abc-1' });
  assert.deepEqual(mailedIn('#visit=abc-2'), { kind: 'visit', id: 'abc-2' });
  assert.equal(mailedIn('#mine'), null);
  assert.equal(mailedIn('#offer='), null);
});

// Times

test('minutes are rounded up and never negative', () => {
  assert.equal(minutesLeft('2026-11-30T12:29:01Z', NOW), 30);
  assert.equal(minutesLeft('2026-11-30T12:00:01Z', NOW), 1);
  assert.equal(minutesLeft('2026-11-30T12:00:00Z', NOW), 0);
  assert.equal(minutesLeft('2026-11-30T11:00:00Z', NOW), 0);
});

test('a visit is planned from two hours to two weeks ahead', () => {
  const at = (/** @type {number} */ hours) => plannedFor(localInput(NOW + hours * HOUR), NOW);
  assert.equal(at(1.95), null);
  assert.equal(at(2), '2026-11-30T14:00:00Z');
  assert.equal(at(14 * 24), '2026-12-14T12:00:00Z');
  assert.equal(at(14 * 24 + 0.1), null);
  for (const text of ['', '2026-12-01', '2026-13-01T10:00', 'x']) assert.equal(plannedFor(text, NOW), null, text);
});

test('the limits of the input can be chosen', () => {
  const { min, max } = planLimits(NOW + 12_345);
  assert.ok(plannedFor(min, NOW + 12_345));
  assert.ok(plannedFor(max, NOW + 12_345));
});

// Hours

test('hours that touch or overlap are one span, sorted by day', () => {
  assert.deepEqual(joined([
    { weekday: 6, from: '14:00', to: '16:00' }, { weekday: 1, from: '18:00', to: '20:00' },
    { weekday: 6, from: '10:00', to: '14:00' }, { weekday: 6, from: '11:00', to: '12:00' },
    { weekday: 6, from: '17:00', to: '18:00' }, { weekday: 2, from: '09:00', to: '09:00' },
  ]), [
    { weekday: 1, from: '18:00', to: '20:00' }, { weekday: 6, from: '10:00', to: '16:00' },
    { weekday: 6, from: '17:00', to: '18:00' },
  ]);
});

test('the day has half hours until 24:00', () => {
  assert.deepEqual([TIMES.length, TIMES[0], TIMES[1], TIMES[48]], [49, '00:00', '00:30', '24:00']);
});

// Reminders

test('a planned visit is reminded of once, ten minutes before, and again after its time was changed', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: NOW });
  /** @type {[string, boolean][]} */
  const told = [];
  const reminders = new Reminders(({ id }, isLate) => { told.push([id, isLate]); });
  const visit = (/** @type {string} */ id, /** @type {number} */ hours) => /** @type {any} */ ({
    id, planned_for: new Date(NOW + hours * HOUR).toISOString(),
  });
  const later = [visit('a', 3), visit('b', 50), { id: 'c', planned_for: null }];
  reminders.follow(later);
  context.mock.timers.tick(3 * HOUR - 601_000);
  assert.deepEqual(told, []);
  context.mock.timers.tick(1_000);
  assert.deepEqual(told, [['a', false]]);
  reminders.follow(later);
  for (let hour = 0; hour < 50; hour += 1) context.mock.timers.tick(HOUR);
  assert.deepEqual(told, [['a', false], ['b', false]]);
  // A visit that was given back gets no reminder.
  reminders.follow([visit('d', 60)]);
  reminders.follow([]);
  context.mock.timers.tick(20 * HOUR);
  assert.equal(told.length, 2);
});

test('a visit that is soon when the page opens is told as late, and a past one not at all', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: NOW });
  /** @type {[string, boolean][]} */
  const told = [];
  new Reminders(({ id }, isLate) => { told.push([id, isLate]); }).follow(/** @type {any} */ ([
    { id: 'soon', planned_for: new Date(NOW + 300_000).toISOString() },
    { id: 'past', planned_for: new Date(NOW - 1_000).toISOString() },
  ]));
  assert.deepEqual(told, [['soon', true]]);
});
