// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAlike } from '../../public/js/add/alike.js';
import { folded, likelyKinds, matching } from '../../public/js/add/kinds.js';

const term = (/** @type {string} */ code, /** @type {string[]} */ collects, /** @type {any} */ more = {}) => /** @type {[string, any]} */ ([code, { code, label: code, collects, ...more }]);
const kinds = new Map([
  term('camera_fixed', ['video']), term('webcam', ['still_image']), term('alpr', ['plate', 'still_image']), term('smart_meter', ['energy_use']), term('other', []),
]);
const data = new Map([
  ['visual', { code: 'visual', label: '', parent: null }], ['video', { code: 'video', label: '', parent: 'visual' }], ['still_image', { code: 'still_image', label: '', parent: 'visual' }],
  ['identification', { code: 'identification', label: '', parent: null }], ['plate', { code: 'plate', label: '', parent: 'identification' }],
  ['environment', { code: 'environment', label: '', parent: null }], ['energy_use', { code: 'energy_use', label: '', parent: 'environment' }],
]);
const alike = (/** @type {string} */ category, /** @type {string} */ own, precision = 'exact', status = 'reported') => isAlike({ category, status }, own, precision, kinds, data);

test('the same kind is alike, however coarse the place', () => {
  for (const precision of ['exact', '100m', '1km', 'area']) assert.ok(alike('webcam', 'webcam', precision));
});

test('kinds that see the same sort of thing are alike where places are close', () => {
  for (const precision of ['exact', '100m']) {
    assert.ok(alike('webcam', 'camera_fixed', precision));
    assert.ok(alike('alpr', 'camera_fixed', precision));
    assert.ok(!alike('smart_meter', 'camera_fixed', precision));
  }
  for (const precision of ['1km', 'area']) assert.ok(!alike('webcam', 'camera_fixed', precision));
});

test('a kind that collects nothing usual may be anything', () => {
  assert.ok(alike('other', 'smart_meter'));
  assert.ok(alike('smart_meter', 'other'));
});

test('what is no device may have been taken for anything', () => {
  assert.ok(alike('smart_meter', 'camera_fixed', '1km', 'not_a_device'));
});

const named = /** @type {any[]} */ ([
  { code: 'camera_fixed', label: 'Câmara fixa', plural: 'Câmaras fixas', definition: 'Filma quem passa.' },
  { code: 'webcam', label: 'Webcam', plural: 'Webcams', definition: 'Uma câmara na internet.' },
  { code: 'toy', label: 'Brinquedo', plural: 'Brinquedos', definition: 'Um brinquedo ligado.' },
  { code: 'other', label: 'Outro', plural: 'Outros', definition: 'Outra coisa.' },
]);

test('kinds are found without marks and case, names before meanings', () => {
  assert.equal(folded('CÂMARA'), 'camara');
  assert.deepEqual(matching(named, 'camara').map((one) => one.code), ['camera_fixed', 'webcam']);
  assert.deepEqual(matching(named, 'fixa câmara').map((one) => one.code), ['camera_fixed']);
  assert.deepEqual(matching(named, 'xyz'), []);
});

test('what stands around most is likely, then what is common; «other» never is', () => {
  assert.deepEqual(likelyKinds(named, []).map((one) => one.code), ['camera_fixed']);
  assert.deepEqual(likelyKinds(named, ['toy', 'toy', 'toy', 'other']).map((one) => one.code), ['toy', 'camera_fixed']);
});
