// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streetsInView } from '../../public/js/map/street-maps.js';

/** @typedef {import('../../public/js/page/start.js').Settings} Settings */

const settings = /** @type {Settings} */ (/** @type {unknown} */ ({
  streets: [
    { min_zoom: 6, bounds: [-77, 39, -76, 40] }, { min_zoom: 6, bounds: [178, -20, 179, -10] },
    { min_zoom: 0, bounds: null },
  ],
}));

for (const [name, zoom, box, expected] of /** @type {[string, number, import('../../public/js/types').Box, number[]][]} */ ([
  ['a map that the view touches', 14, [-76, 39.5, -75, 39.6], [0, 2]],
  ['no map beside the view', 14, [-75.99, 39.5, -75, 39.6], [2]],
  ['no map north of the view', 14, [-76.5, 38, -76.4, 38.99], [2]],
  ['a map one zoom before its tiles', 5, [-76.5, 39.5, -76.4, 39.6], [0, 2]],
  ['no map at a lower zoom', 4.9, [-76.5, 39.5, -76.4, 39.6], [2]],
  ['a map west of the antimeridian in a view across it', 8, [177, -15, -177, -14], [1, 2]],
  ['no map outside a view across the antimeridian', 8, [179.5, -15, -177, -14], [2]],
])) test(`a view has ${name}`, () => assert.deepEqual(streetsInView(settings, zoom, box), expected));
