// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDevice } from '../../public/js/devices/device.js';
import { safeLink } from '../../public/js/links.js';
import { chosenFeatures } from '../../public/js/map/chosen.js';

const feature = {
  id: 'x', geometry: { coordinates: [-16.9, 32.65] },
  properties: {
    name: 'Camera', category: 'camera_fixed', status: 'confirmed', precision: 'exact', bearings: [90, 180],
    data_collected: ['video'],
  },
};

test('absent and null values are unknown', () => {
  const device = readDevice({
    id: 'x', geometry: { coordinates: [0, 0] }, properties: { name: 'A', operator: null, data_collected: null },
  });
  assert.deepEqual(device.dataCollected, []);
  assert.deepEqual(device.operator,
    { name: null, kind: null, contact: null, privacyPolicy: null, dataProtectionContact: null });
  assert.equal(device.lastConfirmed, null);
  assert.equal(device.precision, null);
});

test('reads a malformed response without an error', () => {
  for (const wrong of [null, {}, { properties: { bearings: 'north', operator: 7, data_collected: [1, 'video'] } }]) {
    assert.ok(readDevice(wrong));
  }
});

for (const [value, expected] of /** @type {[string | null, string | null][]} */ ([
  ['https://example.org/a', 'https://example.org/a'], ['mailto:a@example.org', 'mailto:a@example.org'],
  ['a@example.org', 'mailto:a@example.org'],
  ['javascript:alert(1)', null], ['data:text/html,x', null], ['ftp://example.org', null], ['example', null], ['', null],
  [null, null],
])) {
  test(`shows «${value}» as ${expected ? 'a link' : 'text'}`, () => assert.equal(safeLink(value), expected));
}

const parts = (/** @type {any} */ device) => chosenFeatures(device).features.map((shape) => shape.properties.part);

test('an exact device shows each of its directions', () => {
  assert.deepEqual(parts(readDevice(feature)), ['sight', 'sight', 'point']);
});

test('an imprecise device shows its area and no direction', () => {
  const coarse = { ...feature, properties: { ...feature.properties, precision: '1km' } };
  assert.deepEqual(parts(readDevice(coarse)), ['ground', 'point']);
});

test('no device has no shapes', () => assert.deepEqual(parts(null), []));
