// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedLines, nameStreets, streetAt } from '../../public/js/map/named-streets.js';

/** @typedef {import('../../public/js/types').Position} Position */

// Two streets, 111 m apart, from west to east.
const streets = [
  { name: 'Main Street', line: /** @type {Position[]} */ ([[8.5, 47.4], [8.51, 47.4]]) },
  { name: 'Back Lane', line: /** @type {Position[]} */ ([[8.5, 47.401], [8.51, 47.401]]) },
];

test('the nearest street with the side on which the position is', () => {
  assert.deepEqual(streetAt(streets, [8.505, 47.4001]), { name: 'Main Street', side: 'n' });
  assert.deepEqual(streetAt(streets, [8.505, 47.3999]), { name: 'Main Street', side: 's' });
  assert.deepEqual(streetAt(streets, [8.505, 47.4009]), { name: 'Back Lane', side: 's' });
});

test('in the middle of a street there is no side, and far from all streets there is none', () => {
  assert.deepEqual(streetAt(streets, [8.505, 47.40001]), { name: 'Main Street', side: null });
  assert.equal(streetAt(streets, [8.505, 47.4005]), null);
  assert.equal(streetAt(streets, [8.52, 47.4]), null);
  assert.equal(streetAt([], [8.505, 47.4]), null);
});

/** @param {number} zoom @param {string} schema */
function mapWith(zoom, schema) {
  /** @type {(() => void)[]} */
  const listeners = [];
  const asked = /** @type {any[]} */ ([]);
  const map = {
    getZoom: () => zoom, getSource: (/** @type {string} */ id) => id === 'streets-0',
    on: (/** @type {string} */ _, /** @type {() => void} */ act) => listeners.push(act),
    querySourceFeatures: (/** @type {string} */ source, /** @type {any} */ question) => {
      asked.push([source, question.sourceLayer]);
      return [
        {
          geometry: { type: 'LineString', coordinates: streets[0].line },
          properties: { name: 'Main', 'name:pt': 'Rua' },
        },
        { geometry: { type: 'MultiLineString', coordinates: [streets[1].line] }, properties: { name: 'Back Lane' } },
        { geometry: { type: 'LineString', coordinates: streets[1].line }, properties: {} },
      ];
    },
  };
  return { map, listeners, asked, settings: /** @type {any} */ ({ streets: [{ schema }, { schema }] }) };
}

test('the streets of the loaded tiles have names in the language of the reader', () => {
  const { map, asked, settings } = mapWith(15, 'protomaps');
  assert.deepEqual(namedLines(map, settings, 'pt').map(({ name }) => name), ['Rua', 'Back Lane']);
  assert.deepEqual(asked, [['streets-0', 'roads']]);
});

test('streets are told each time a close view has loaded, and never from far away', () => {
  const told = /** @type {any[]} */ ([]);
  const near = mapWith(15, 'openmaptiles');
  nameStreets(near.map, near.settings, 'en', (streetOf) => told.push(streetOf([8.505, 47.4001])?.name));
  near.listeners.forEach((act) => act());
  assert.deepEqual(told, ['Main', 'Main']);
  const far = mapWith(12, 'openmaptiles');
  nameStreets(far.map, far.settings, 'en', () => assert.fail('told from far away'));
});
