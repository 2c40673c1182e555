// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contextFeatures } from '../../public/js/map/context-features.js';
import { contextLayerIds, contextLayers, contextSources } from '../../public/js/map/context-layers.js';

const quarters = { id: 'quarters', title: 'Quarters', attribution: 'The city' };
const stops = { id: 'stops', title: 'Stops', attribution: 'The city' };
const drawn = (/** @type {string} */ sourceLayer, /** @type {Record<string, any>} */ properties) => (
  { layer: { id: 'x' }, sourceLayer, geometry: { type: 'Point' }, properties });

test('describes a feature by its name and its other properties in order', () => {
  const [found] = contextFeatures([drawn('quarters', { id: 'old', people: 1912, name: '<b>', listed: true })],
    [quarters]);
  assert.equal(found?.name, '<b>');
  assert.equal(found?.collection, quarters);
  assert.deepEqual(found?.facts, [['people', 1912], ['listed', true]]);
});

test('describes a feature without a name by its id', () => {
  for (const name of ['', 7]) {
    const [found] = contextFeatures([drawn('quarters', { id: 'old', name })], [quarters]);
    assert.equal(found?.name, null);
    assert.equal(found?.id, 'old');
    assert.deepEqual(found?.facts, [['name', name]]);
  }
});

test('merges a feature from several tiles and layers, but not equal ids of two collections', () => {
  const all = [drawn('quarters', { id: '1' }), drawn('quarters', { id: '1' }), drawn('stops', { id: '1' })];
  assert.deepEqual(contextFeatures(all, [quarters, stops]).map(({ collection }) => collection.id),
    ['quarters', 'stops']);
});

test('describes at most five features, the topmost first, and none of an unknown collection', () => {
  const all = [drawn('gone', { id: '0' }), ...['1', '2', '3', '4', '5', '6'].map((id) => drawn('stops', { id }))];
  assert.deepEqual(contextFeatures(all, [stops]).map(({ id }) => id), ['1', '2', '3', '4', '5']);
});

test('queries exactly the layers that are drawn', () => {
  const { areas, lines, points } = contextLayerIds(['quarters', 'stops']);
  const palette = /** @type {any} */ ({});
  assert.deepEqual(
    contextLayers(['quarters', 'stops'], ['quarters', 'stops'], palette).map(({ id }) => id),
    [...areas, ...lines, ...points]);
});

test('each collection has one source, with the row before the column in its URL', () => {
  globalThis.location = /** @type {any} */ ({ origin: 'https://example.org' });
  assert.deepEqual(contextSources(['stops'])['context-stops'].tiles,
    ['https://example.org/api/collections/stops/tiles/WebMercatorQuad/{z}/{y}/{x}']);
});
