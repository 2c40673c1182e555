// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseLayers, DETAILS, placeLayers } from '../../public/js/map/base-style.js';
import { PALETTES } from '../../public/js/map/palette.js';

/** @typedef {import('../../public/js/page/start.js').Settings} Settings */

const settings = /** @type {Settings} */ (/** @type {unknown} */ ({
  streets: [{ format: 'vector', schema: 'shortbread', min_zoom: 0, max_zoom: 14, tiles: '/streets', layers: [] }],
}));

/** @param {'light' | 'dark'} theme */
function layers(theme) {
  const palette = PALETTES[theme];
  return /** @type {{id: string, paint?: Record<string, unknown>}[]} */ (
    [...baseLayers(settings, [0], palette, 'en'), ...placeLayers(settings, [0], palette, 'en')]);
}

// A map that is printed changes its colours in one step. Colours that depend on the data of a tile would follow later.
test('no colour of the base map depends on data', () => {
  for (const { id, paint } of layers('dark')) {
    for (const [name, value] of Object.entries(paint ?? {})) {
      if (name.endsWith('-color')) assert.equal(typeof value, 'string', `${id}: ${name}`);
    }
  }
});

test('light and dark maps have the same layers', () => {
  const ids = layers('light').map(({ id }) => id);
  assert.deepEqual(layers('dark').map(({ id }) => id), ids);
  assert.deepEqual(DETAILS.filter((id) => !ids.includes(id)), []);
  assert.ok(ids.includes('streets-0-road-name'), 'streets have names');
});
