// @ts-check
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { ageWords } from '../../public/js/devices/age.js';
import { readDevice } from '../../public/js/devices/device.js';
import { formatAgo } from '../../public/js/format.js';
import { startLanguage } from '../../public/js/i18n.js';

// api.js listens for the network.
Object.assign(globalThis, { addEventListener() {}, document: { addEventListener() {} } });
const { madeName, placeWords, shownName } = await import('../../public/js/devices/name.js');
const { scheme } = await import('../../public/js/taxonomies.js');

const read = (/** @type {string} */ path) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));

/** The categories as the server sends them in Portuguese, with the words of both languages. */
function categories() {
  return read('seed/taxonomies/categories.json').terms.map((/** @type {any} */ term) => ({
    code: term.code, ...term.pt, words: [term.en, term.pt].flatMap(({ label, plural, words = [] }) => (
      [label, plural, ...words])),
  }));
}

before(async () => {
  Object.assign(globalThis, {
    document: {
      documentElement: { lang: 'pt', dataset: {} }, querySelectorAll: () => [],
      querySelector: () => ({ textContent: JSON.stringify({
        '/api/taxonomies/categories?lang=pt': { terms: categories() },
      }) }),
    },
    location: { search: '?lang=pt' }, navigator: { languages: [] },
  });
  await startLanguage(async () => read('public/locale/pt.json'));
  await scheme('categories');
});

/** @param {string} name @param {string} category @param {Record<string, unknown>} [more] */
const device = (name, category, more = {}) => readDevice({
  id: 'x', geometry: { coordinates: [8.5, 47.4] }, properties: { name, category, ...more },
});
const lindenhof = /** @type {any} */ ({
  id: 1, name: 'Lindenhof', kind: 'city', region: 'Zürich', country: 'CH', country_name: 'Suíça', longitude: 8.5,
  latitude: 47.4, distance: 320,
});

test('a name made from the category is in the language of the reader, with its place', () => {
  assert.equal(shownName(device('Camera', 'camera_fixed'), lindenhof), 'Câmara fixa perto de Lindenhof');
  assert.equal(shownName(device('Dome or turning camera', 'camera_ptz'), null), 'Câmara rotativa ou em cúpula');
  assert.equal(shownName(device('Webcam', 'webcam'), lindenhof), 'Webcam perto de Lindenhof');
});

test('every name that the mappings make from a category is recognised', () => {
  for (const [category, name] of Object.entries(read('seed/mappings/osm.json').category_names)) {
    assert.notEqual(shownName(device(String(name), category), lindenhof), name, `${name} of ${category}`);
  }
});

test('the maker and the street of a made name stay in it', () => {
  const plate = (/** @type {string} */ name) => device(name, 'alpr', { manufacturer: 'Flock Safety' });
  assert.equal(shownName(plate('Flock Safety licence-plate reader'), null), 'Leitor de matrículas Flock Safety');
  assert.equal(shownName(plate('Flock Safety licence-plate reader, Main Street 3'), lindenhof),
    'Leitor de matrículas Flock Safety, Main Street 3');
});

test('the operator, which has its own line, is not repeated in a made name', () => {
  const camera = device('Camera, Stadt Zürich', 'camera_fixed', { operator: { name: 'Stadt Zürich' } });
  assert.equal(shownName(camera, lindenhof), 'Câmara fixa perto de Lindenhof');
});

test('a name that somebody gave stays as it is', () => {
  for (const [name, category] of [
    ['Market hall camera', 'camera_fixed'], ['Alexa', 'smart_speaker'], ['CCTV', 'camera_fixed'],
    ['Camera', 'webcam'], ['Flock Safety licence-plate reader', 'alpr'],
  ]) {
    assert.equal(shownName(device(name, category), lindenhof), name);
  }
});

test('a number or a network stays in a translated name, and in English the whole name stays', () => {
  assert.equal(shownName(device('Measuring station 12', 'environment'), null), 'Sensor ambiental 12');
  assert.equal(shownName(device('Webcam A-3, Stadt Zürich', 'webcam'), null), 'Webcam A-3, Stadt Zürich');
  assert.equal(shownName(device('GuestWiFi Wi-Fi, 5 Main St', 'wifi_hotspot'), null), 'Wi-Fi GuestWiFi, 5 Main St');
  assert.equal(madeName(device('Camera 2', 'camera_fixed'), ['camera'], false), null);
  assert.equal(madeName(device('Market Wi-Fi', 'wifi_hotspot'), ['hotspot'], false), null);
  assert.equal(madeName(device('Camera two', 'camera_fixed'), ['camera'], true), null);
});

test('every name that the templates of the mappings make is in the language of the reader', () => {
  const seen = [];
  for (const file of readdirSync(new URL('../../seed/mappings', import.meta.url))) {
    const { fields = {} } = read(`seed/mappings/${file}`);
    const { category, name: rules = [] } = fields;
    if (typeof category !== 'string') continue; // its names begin with the name of the category
    for (const { template, value } of Array.isArray(rules) ? rules : [rules]) {
      const name = (template ?? value ?? '').replace(/\{:manufacturer\}/g, 'Axis').replace(/\{[^}]*\}/g, 'X1');
      if (!/[a-z]/.test(name.replace(/X1/g, ''))) continue; // only words of the list itself
      const shown = shownName(device(name, category, { manufacturer: 'Axis' }), lindenhof);
      assert.notEqual(shown, name, `${file}: ${name}`);
      seen.push(shown);
    }
  }
  for (const name of ['Contador de bicicletas, X1', 'Contador de trânsito numa janela, X1', 'Quiosque LinkNYC X1']) {
    assert.ok(seen.some((shown) => shown.startsWith(name)), name);
  }
});

test('a town that is far away is not near, and its distance is stated', () => {
  const far = { ...lindenhof, distance: 18_000 };
  assert.equal(shownName(device('Camera', 'camera_fixed'), far), 'Câmara fixa');
  assert.equal(placeWords(device('Camera', 'camera_fixed'), far, false), 'a 18 km de Lindenhof');
});

test('a place that the name contains is not repeated, and a wide view adds region and country', () => {
  const camera = device('Camera', 'camera_fixed');
  assert.equal(placeWords(camera, lindenhof, false), '');
  assert.equal(placeWords(camera, lindenhof, true), 'Zürich, Suíça');
  assert.equal(placeWords(device('Porta norte', 'camera_fixed'), lindenhof, false), 'Lindenhof');
  assert.equal(placeWords(device('Porta norte', 'camera_fixed'), lindenhof, true), 'Lindenhof, Zürich, Suíça');
  assert.equal(placeWords(camera, null, true), '');
});

test('the age is that of the last check, else of the observation, else of the record', () => {
  const now = new Date('2026-11-25T12:00:00Z');
  const added = { created_at: '2026-11-24T23:00:00Z' };
  const seen = { ...added, observed_on: '2021-10-03' };
  assert.equal(ageWords(device('A', 'webcam', added), now), 'Acrescentado ontem');
  assert.equal(ageWords(device('A', 'webcam', seen), now), 'Visto há 5 anos');
  assert.equal(ageWords(device('A', 'webcam', { ...seen, last_confirmed: '2026-09-20T00:00:00Z' }), now),
    'Verificado há 2 meses');
  assert.equal(ageWords(device('A', 'webcam'), now), '');
});

test('an age is in days, then in months, then in years', () => {
  const now = new Date('2026-11-25T23:59:00Z');
  assert.deepEqual(['2026-11-25', '2026-11-24', '2026-10-26', '2026-10-25', '2025-11-27', '2024-11-24', '2027-01-01', '?']
    .map((day) => formatAgo(day, 'en', now)),
  ['today', 'yesterday', '30 days ago', 'last month', '11 months ago', '2 years ago', 'today', null]);
});

test('ages have the words of Intl.RelativeTimeFormat', () => {
  const now = new Date('2026-11-25T12:00:00Z');
  const before = (/** @type {number} */ days) => new Date(now.getTime() - days * 86_400_000).toISOString();
  for (const [language, locale] of [['en', 'en-GB'], ['pt', 'pt-PT']]) {
    const intl = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    for (let days = 0; days < 31; days += 1) assert.equal(formatAgo(before(days), language, now), intl.format(-days, 'day'));
    for (let months = 1; months < 12; months += 1) {
      assert.equal(formatAgo(before(Math.ceil(months * 30.44)), language, now), intl.format(-months, 'month'));
    }
    for (const years of [1, 2, 3, 12]) {
      assert.equal(formatAgo(before(Math.ceil(years * 365.25)), language, now), intl.format(-years, 'year'));
    }
  }
});

test('names are those that letters, mails and share cards have (device-names.json is also a test of the server)', () => {
  const examples = read('Tests/Front/device-names.json');
  assert.ok(examples.length > 15);
  for (const { name, category, manufacturer, operator, pt, isWhole } of examples) {
    const one = device(name, category, { manufacturer, ...(operator && { operator: { name: operator } }) });
    assert.equal(shownName(one, null), pt, name);
    assert.equal(shownName(one, lindenhof), isWhole ? pt : `${pt} perto de Lindenhof`, name);
  }
});
