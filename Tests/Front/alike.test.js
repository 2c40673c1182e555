// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAlike } from '../../public/js/add/alike.js';
import { folded, likelyKinds, matching } from '../../public/js/add/kinds.js';

const term = (/** @type {string} */ code, /** @type {string[]} */ collects, /** @type {any} */ more = {}) =>
  /** @type {[string, any]} */ ([code, { code, label: code, collects, ...more }]);
const kinds = new Map([
  term('camera_fixed', ['video']), term('webcam', ['still_image']), term('alpr', ['plate', 'still_image']),
  term('smart_meter', ['energy_use']), term('other', []),
]);
const data = new Map([
  ['visual', { code: 'visual', label: '', parent: null }], ['video', { code: 'video', label: '', parent: 'visual' }],
  ['still_image', { code: 'still_image', label: '', parent: 'visual' }],
  ['identification', { code: 'identification', label: '', parent: null }],
  ['plate', { code: 'plate', label: '', parent: 'identification' }],
  ['environment', { code: 'environment', label: '', parent: null }],
  ['energy_use', { code: 'energy_use', label: '', parent: 'environment' }],
]);
const alike = (/** @type {string} */ category, /** @type {string} */ own, precision = 'exact', status = 'reported') =>
  isAlike({ category, status }, own, precision, kinds, data);

test('devices of the same category are similar, however imprecise the place', () => {
  for (const precision of ['exact', '100m', '1km', 'area']) assert.ok(alike('webcam', 'webcam', precision));
});

test('categories that collect the same kind of data are similar if the places are close', () => {
  for (const precision of ['exact', '100m']) {
    assert.ok(alike('webcam', 'camera_fixed', precision));
    assert.ok(alike('alpr', 'camera_fixed', precision));
    assert.ok(!alike('smart_meter', 'camera_fixed', precision));
  }
  for (const precision of ['1km', 'area']) assert.ok(!alike('webcam', 'camera_fixed', precision));
});

test('a category without usual data may be similar to any other', () => {
  assert.ok(alike('other', 'smart_meter'));
  assert.ok(alike('smart_meter', 'other'));
});

test('«not a device» may be similar to any category', () => {
  assert.ok(alike('smart_meter', 'camera_fixed', '1km', 'not_a_device'));
});

const named = /** @type {any[]} */ ([
  { code: 'camera_fixed', label: 'Câmara fixa', plural: 'Câmaras fixas', definition: 'Filma quem passa.' },
  { code: 'webcam', label: 'Webcam', plural: 'Webcams', definition: 'Uma câmara na internet.' },
  { code: 'toy', label: 'Brinquedo', plural: 'Brinquedos', definition: 'Um brinquedo ligado.' },
  { code: 'other', label: 'Outro', plural: 'Outros', definition: 'Outra coisa.' },
]);

test('finds categories without regard to diacritics and case, names before definitions', () => {
  assert.equal(folded('CÂMARA'), 'camara');
  assert.deepEqual(matching(named, 'camara').map((one) => one.code), ['camera_fixed', 'webcam']);
  assert.deepEqual(matching(named, 'fixa câmara').map((one) => one.code), ['camera_fixed']);
  assert.deepEqual(matching(named, 'xyz'), []);
});

test('suggests nearby categories first, then common ones, and never «other»', () => {
  assert.deepEqual(likelyKinds(named, []).map((one) => one.code), ['camera_fixed']);
  assert.deepEqual(likelyKinds(named, ['toy', 'toy', 'toy', 'other']).map((one) => one.code), ['toy', 'camera_fixed']);
});
