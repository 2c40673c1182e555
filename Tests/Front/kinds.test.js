// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { familiesOf, kindsTitle } from '../../public/js/devices/kinds.js';
import { startLanguage } from '../../public/js/i18n.js';

/** @param {string} code */
async function speak(code) {
  Object.defineProperty(globalThis, 'navigator', { value: { languages: [] }, configurable: true });
  Object.assign(globalThis, {
    location: { search: `?lang=${code}` },
    document: { documentElement: { lang: code, dataset: {} }, querySelectorAll: () => [] },
  });
  await startLanguage(async (path) => (
    JSON.parse(readFileSync(new URL(`../../public/${path}`, import.meta.url), 'utf8'))));
}

/** @param {Record<string, number>} families */
function title(families) {
  const all = Object.values(families).reduce((sum, count) => sum + count, 0);
  return kindsTitle(all, /** @type {any} */ (new Map(Object.entries(families))));
}

before(() => speak('en'));

test('the title names the two largest kinds and mentions the rest', () => {
  assert.equal(title({ sound: 3, plate: 900, camera: 6_000, other: 1 }),
    '6,904 cameras, plate readers and other devices here');
  assert.equal(title({ camera: 7, plate: 4 }), '11 cameras and plate readers here');
  assert.equal(title({ camera: 7, other: 4 }), '11 cameras and other devices here');
  assert.equal(title({ camera: 7 }), '7 cameras here');
});

test('one device is named in the singular', () => {
  assert.equal(title({ camera: 1 }), '1 camera here');
  assert.equal(title({ radio: 1 }), '1 wireless device here');
  assert.equal(title({ other: 1 }), '1 device here');
});

test('a kind with a single device is among the others, because its name is in the plural', () => {
  assert.equal(title({ camera: 5, plate: 1 }), '6 cameras and other devices here');
  assert.equal(title({ camera: 1, plate: 1 }), '2 devices here');
});

test('the title of a place names it instead of saying “here”', () => {
  const cameras = /** @type {any} */ (new Map([['camera', 26]]));
  assert.equal(kindsTitle(26, cameras, { name: 'Baltimore', bordered: true }), 'Baltimore: 26 cameras');
  assert.equal(kindsTitle(26, cameras, { name: 'Baltimore', bordered: false }), 'Around Baltimore: 26 cameras');
  assert.equal(kindsTitle(0, new Map(), { name: 'Baltimore', bordered: true }), 'Baltimore: no devices');
});

test('without devices and without known kinds the title still says how many there are', () => {
  assert.equal(title({}), 'No devices here');
  assert.equal(kindsTitle(12, new Map()), '12 devices here');
});

test('the title is in Portuguese as well', async () => {
  await speak('pt');
  assert.equal(title({ plate: 900, camera: 60, other: 1 }), '961 leitores de matrículas, câmaras e outros aparelhos aqui');
  assert.equal(title({ camera: 1 }), '1 câmara aqui');
  assert.equal(title({}), 'Nenhum aparelho aqui');
  await speak('en');
});

test('categories of a family are counted together', () => {
  const familyOf = (/** @type {string} */ category) => (category === 'alpr' ? 'plate' : category ? 'camera' : 'other');
  const groups = [{ category: 'webcam', count: 2 }, { category: 'camera_ptz', count: 3 }, { category: 'alpr', count: 4 },
    { category: null, count: 1 }];
  assert.deepEqual([...familiesOf(groups, familyOf)], [['camera', 5], ['plate', 4], ['other', 1]]);
});
