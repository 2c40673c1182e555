// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grouped } from '../../public/js/filters/facets.js';
import { shortCredits } from '../../public/js/map/credits.js';
import { outlineFeatures } from '../../public/js/map/outline-layers.js';
import { placeContext, placeLabel } from '../../public/js/places/place.js';
import { matchingCategories, matchingGroups, suggestions } from '../../public/js/search/suggestions.js';
import { folded } from '../../public/js/words.js';

const terms = [
  { code: 'camera_fixed', label: 'Câmara fixa', plural: 'Câmaras fixas', words: ['CCTV', 'surveillance camera'] },
  { code: 'doorbell_camera', label: 'Campainha com câmara', plural: 'Campainhas com câmara' },
  { code: 'alpr', label: 'Leitor de matrículas', plural: 'Leitores de matrículas' },
];
const codes = (/** @type {any[]} */ found) => found.map(({ term }) => term.code);

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

test('an everyday word of any language finds a category, and names come before it', () => {
  assert.deepEqual(matchingCategories('cctv', terms), [{ term: terms[0], word: 'CCTV' }]);
  assert.deepEqual(matchingCategories('surv cam', terms), [{ term: terms[0], word: 'surveillance camera' }]);
  assert.deepEqual(matchingCategories('cctv camera', terms), [], 'words of two names do not add up');
  assert.deepEqual(codes(matchingCategories('cam', [...terms].reverse())), ['doorbell_camera', 'camera_fixed']);
  const known = { code: 'webcam', label: 'Webcam', words: ['câmara em direto'] };
  assert.deepEqual(codes(matchingCategories('camara', [known, ...terms])),
    ['camera_fixed', 'doorbell_camera', 'webcam']);
});

test('a group of categories is found by its name', () => {
  const groups = [{ code: 'cameras', label: 'Todas as câmaras', categories: ['camera_fixed'] }];
  assert.deepEqual(matchingGroups('camar', groups), groups);
  assert.deepEqual(matchingGroups('', groups), groups);
  assert.deepEqual(matchingGroups('radar', groups), []);
  assert.deepEqual(suggestions('camar', { groups, categories: [], places: [], devices: [] }).map(({ kind }) => kind),
    ['group', 'words']);
});

test('suggestions have a fixed order and end with a search for all words', () => {
  const found = suggestions('fun', {
    categories: [{ term: terms[0] }], places: [{ id: 1, name: 'Funchal', longitude: 0, latitude: 0 }], devices: [{ id: 'x' }],
  });
  assert.deepEqual(found.map((item) => item.kind), ['category', 'place', 'device', 'words']);
});

test('streets, addresses and postcodes are a group of their own, in the order of the server', () => {
  const place = { longitude: 0, latitude: 0 };
  const places = [
    { ...place, id: null, name: '10 Main Street', kind: 'address', locality: 'Baltimore 21231' },
    { ...place, id: null, name: '21231', kind: 'postcode' }, { ...place, id: 7, name: 'Main', kind: 'city' },
  ];
  const found = suggestions('10 main', { categories: [], places, devices: [] });
  assert.deepEqual(found.map((item) => item.kind), ['address', 'address', 'place', 'words']);
  assert.equal(placeContext(places[0]), 'Baltimore 21231');
  assert.equal(placeLabel(places[0]), '10 Main Street');
});

test('a place is outlined by its box, an address by a circle of the same width in all directions', () => {
  const corners = (/** @type {any} */ box) => outlineFeatures(box).features[0]?.geometry.coordinates ?? [];
  assert.equal(corners([9, 47, 9.1, 47.1]).length, 5);
  const ring = corners([9.521, 59.999, 9.522, 60.001]);
  assert.equal(ring.length, 5, 'a box above the size of a house');
  const circle = corners([9.521, 59.9995, 9.522, 60.0005]);
  assert.equal(circle.length, 49);
  assert.deepEqual(circle[0], circle[48]);
  const [xs, ys] = [0, 1].map((axis) => circle.map((/** @type {number[]} */ point) => point[axis]));
  const wide = (Math.max(...xs) - Math.min(...xs)) * Math.cos(60 * Math.PI / 180);
  assert.ok(Math.abs(wide - (Math.max(...ys) - Math.min(...ys))) < 1e-6);
  assert.deepEqual(corners(null), []);
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

test('a city and a region of the same name are told apart', () => {
  const place = { id: 1, country: 'CH', longitude: 0, latitude: 0 };
  // Without a catalogue, `translate` returns its keys.
  assert.equal(placeLabel({ ...place, name: 'Zürich', kind: 'city', region: 'Zürich' }), 'place.kind');
  assert.equal(placeLabel({ ...place, name: 'Zürich', kind: 'region', region: null }), 'place.kind');
  assert.equal(placeLabel({ ...place, name: 'Winterthur', kind: 'city', region: 'Zürich' }), 'Winterthur');
  assert.equal(placeLabel({ ...place, name: 'Switzerland', kind: 'country', region: null }), 'Switzerland');
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
