// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grouped } from '../../public/js/filters/facets.js';
import { shortCredits } from '../../public/js/map/credits.js';
import { folded, matchingCategories, placeContext, suggestions } from '../../public/js/search/suggestions.js';

const terms = [
  { code: 'camera_fixed', label: 'Câmara fixa', plural: 'Câmaras fixas' },
  { code: 'doorbell_camera', label: 'Campainha com câmara', plural: 'Campainhas com câmara' },
  { code: 'alpr', label: 'Leitor de matrículas', plural: 'Leitores de matrículas' },
];
const codes = (/** @type {any[]} */ found) => found.map((term) => term.code);

test('ignores diacritics and case', () => {
  assert.equal(folded(' CÂMARA de Lobos '), 'camara de lobos');
  assert.deepEqual(codes(matchingCategories('camara', terms)), ['camera_fixed', 'doorbell_camera']);
});

test('every typed word must be a prefix of a word of the category', () => {
  assert.deepEqual(codes(matchingCategories('camp cam', terms)), ['doorbell_camera']);
  assert.deepEqual(codes(matchingCategories('mara', terms)), []);
  assert.deepEqual(codes(matchingCategories('alpr', terms)), ['alpr']);
});

test('an empty text matches all categories', () => {
  assert.equal(matchingCategories('', terms, 9).length, 3);
});

test('suggestions have a fixed order and end with a search for all words', () => {
  const found = suggestions('fun', {
    categories: [terms[0]], places: [{ id: 1, name: 'Funchal', longitude: 0, latitude: 0 }], devices: [{ id: 'x' }],
  });
  assert.deepEqual(found.map((item) => item.kind), ['category', 'place', 'device', 'words']);
});

test('coordinates come first and are not searched as words', () => {
  const found = suggestions('32.65, -16.9', { categories: [], places: [], devices: [] });
  assert.deepEqual(found, [{ kind: 'position', longitude: -16.9, latitude: 32.65 }]);
});

test('a place shows its region and country without repeating its own name', () => {
  assert.equal(
    placeContext({ id: 1, name: 'Funchal', region: 'Madeira', country: 'PT', country_name: 'Portugal', longitude: 0,
      latitude: 0 }), 'Madeira, Portugal',
  );
  assert.equal(placeContext({ id: 2, name: 'Madeira', region: 'Madeira', country: 'PT', longitude: 0, latitude: 0 }),
    'PT');
});

test('terms are grouped under their parents', () => {
  const groups = grouped([
    { code: 'visual', parent: null }, { code: 'video', parent: 'visual' }, { code: 'usage', parent: null },
  ]);
  assert.deepEqual(groups.map(({ root, leaves }) => [root.code, leaves.length]), [['visual', 1], ['usage', 0]]);
});

test('the credits of the map are the names, each once', () => {
  const whole =
    'City of X, Licence 2.0 (example.org) · © OpenStreetMap contributors (collected with Y), available'
    + ' · © OpenStreetMap contributors, available';
  assert.equal(shortCredits(whole), '© OpenStreetMap contributors, City of X');
  assert.equal(shortCredits(''), '');
});
