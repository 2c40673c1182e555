// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDevice } from '../../public/js/devices/device.js';
import { condition, feedParameters, needsPath, positionIn, reasons } from '../../public/js/look/needs.js';

const TODAY = '2026-11-21';

/** @param {object} properties */
const device = (properties) => readDevice({
  id: '1', geometry: { type: 'Point', coordinates: [0, 0] },
  properties: {
    status: 'confirmed', data_collected: ['video'], operator: { name: 'Parking', kind: 'company' },
    stale_on: '2028-01-01', ...properties,
  },
});

test('a device that was confirmed lately and lacks nothing needs no look', () => {
  assert.deepEqual(reasons(device({}), TODAY), []);
});

test('each fault is a reason, the most pressing first', () => {
  assert.deepEqual(reasons(device({ status: 'disputed' }), TODAY), ['disputed']);
  assert.deepEqual(reasons(device({ status: 'reported' }), TODAY), ['unconfirmed']);
  assert.deepEqual(reasons(device({ data_collected: [] }), TODAY), ['data']);
  assert.deepEqual(reasons(device({
    status: 'reported', stale_on: '2026-11-20', data_collected: null, operator: null,
  }), TODAY), ['old', 'unconfirmed', 'operator', 'data']);
});

test('a check is due sixty days before the stale day, not sixty-one', () => {
  assert.deepEqual(reasons(device({ stale_on: '2027-01-20' }), TODAY), ['old']);
  assert.deepEqual(reasons(device({ stale_on: '2027-01-21' }), TODAY), []);
});

test('a household is a known operator although it has no name', () => {
  assert.deepEqual(reasons(device({ operator: { name: null, kind: 'household' } }), TODAY), []);
  assert.deepEqual(reasons(device({ operator: { name: null, kind: 'unknown' } }), TODAY), ['operator']);
});

test('the condition names the day from which a check is due', () => {
  assert.match(condition(new Date('2026-11-21T23:59:59Z')), /stale_on <= DATE\('2027-01-20'\)/);
});

test('the request searches a box around the person, the nearest first', () => {
  const { searchParams } = new URL(needsPath([-16.9, 32.65], 1_500, new Date(TODAY)), 'https://x');
  const [west, south, east, north] = (searchParams.get('bbox') ?? '').split(',').map(Number);
  assert.ok(west < -16.9 && east > -16.9 && south < 32.65 && north > 32.65);
  assert.ok(Math.abs((north - south) * 111_195 - 3_000) < 20);
  assert.equal(searchParams.get('near'), '-16.90000,32.65000');
  assert.equal(searchParams.get('sortby'), 'distance');
});

test('the feed has the same devices, in its own order', () => {
  const path = needsPath([1, 2], 1_500, new Date(TODAY));
  const asked = new URL(path, 'https://x').searchParams;
  const feed = feedParameters(path);
  assert.deepEqual([...feed.keys()], ['bbox', 'filter']);
  assert.equal(feed.get('filter'), asked.get('filter'));
});

test('a box near the antimeridian stays within the longitudes', () => {
  const { searchParams } = new URL(needsPath([179.99, 0], 10_000, new Date(TODAY)), 'https://x');
  const [west, , east] = (searchParams.get('bbox') ?? '').split(',').map(Number);
  assert.ok(west > 179 && east < -179);
});

test('reads a position of an address, and nothing else', () => {
  assert.deepEqual(positionIn('?near=-16.92,32.65'), [-16.92, 32.65]);
  assert.deepEqual(positionIn('?near=180,90'), [180, 90]);
  for (const near of ['', '1', '1,2,3', '181,0', '0,91', 'a,b', '1e3,0', 'NaN,0']) {
    assert.equal(positionIn(`?near=${near}`), null, near);
  }
});
