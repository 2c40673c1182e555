// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metresToLines, streetAround } from '../../public/js/map/street-around.js';

/** @type {import('../../public/js/types').Position} */
const HERE = [8.54, 47.37];

test('the distance to a street is that to its nearest part, not to its corners', () => {
  const line = { type: 'LineString', coordinates: [[8.53, 47.3701], [8.55, 47.3701]] };
  assert.ok(Math.abs(metresToLines(HERE, line) - 11.1) < 0.1);
  assert.ok(Math.abs(metresToLines(HERE, { type: 'MultiLineString', coordinates: [line.coordinates] }) - 11.1) < 0.1);
  assert.equal(metresToLines(HERE, { type: 'Point', coordinates: HERE }), Infinity);
});

test('the nearest street within reach is named, and none far away', () => {
  const street = (/** @type {string} */ name, /** @type {number} */ latitude) => ({
    properties: { name }, geometry: { type: 'LineString', coordinates: [[8.53, latitude], [8.55, latitude]] },
  });
  const map = (/** @type {any[]} */ found) => ({
    getStyle: () => ({ layers: [{ id: 'zurich-road-name', source: 'zurich', 'source-layer': 'transportation_name' }] }),
    querySourceFeatures: () => found,
  });
  assert.equal(streetAround(map([street('Rämistrasse', 47.3702), street('Limmatquai', 47.3701)]), HERE), 'Limmatquai');
  assert.equal(streetAround(map([street('Seestrasse', 47.38)]), HERE), null);
  assert.equal(streetAround(map([{ ...street('', 47.37), properties: {} }]), HERE), null);
});
