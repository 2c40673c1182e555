// @ts-check
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, beforeEach, test } from 'node:test';
import { startLanguage } from '../../public/js/i18n.js';

// api.js listens for the network.
Object.assign(globalThis, {
  addEventListener() {}, location: { search: '?lang=pt', origin: 'http://farol.test' }, navigator: { languages: [] },
  document: {
    addEventListener() {}, documentElement: { lang: 'pt', dataset: {} }, querySelectorAll: () => [],
    querySelector: () => ({ textContent: JSON.stringify({
      '/api/taxonomies/categories?lang=pt': { terms: categories() },
    }) }),
  },
});
const { nameOf, withName } = await import('../../public/js/devices/late-name.js');
const { scheme } = await import('../../public/js/taxonomies.js');

const root = new URL('../../', import.meta.url);
const ITEMS = '/api/collections/devices/items?';

/** @param {string} path */
function read(path) {
  return JSON.parse(readFileSync(new URL(path, root), 'utf8'));
}

function categories() {
  return read('seed/taxonomies/categories.json').terms.map((/** @type {any} */ term) => ({
    code: term.code, ...term.pt, words: [term.en, term.pt].flatMap(({ label, plural, words = [] }) => (
      [label, plural, ...words])),
  }));
}

/** @type {Record<string, any>} the devices of the server by id */
let devices = {};
/** @type {string[]} */
let requests = [];
let isOut = false;

/** @param {string} path */
async function answer(path) {
  requests.push(path);
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  if (path === '/healthz') return new Response('ok');
  if (isOut) throw new TypeError('network');
  if (path.startsWith('/api/places/nearest')) {
    return Response.json({ places: [{ id: 1, name: 'Lindenhof', kind: 'city', distance: 320 }] });
  }
  assert.ok(path.startsWith(ITEMS), path);
  const ids = new URLSearchParams(path.slice(ITEMS.length)).get('ids')?.split(',') ?? [];
  assert.ok(ids.length <= 50);
  return Response.json({ features: ids.flatMap((id) => devices[id] ?? []) });
}

/** @param {string} id @param {string} name @param {Record<string, unknown>} [more] */
function device(id, name, more = {}) {
  devices[id] = {
    id, geometry: { coordinates: [8.5, 47.4] }, properties: { name, category: 'camera_fixed', ...more },
  };
  return { id, name, category: 'camera_fixed' };
}

before(async () => {
  await startLanguage(async () => read('public/locale/pt.json'));
  await scheme('categories');
  Object.assign(globalThis, { fetch: answer });
});

beforeEach(() => { [devices, requests, isOut] = [{}, [], false]; });

test('a stored name that repeats its category becomes the name of the page of the device', async () => {
  assert.equal(await nameOf(device('a1', 'Camera')), 'Câmara fixa perto de Lindenhof');
  const maker = device('a2', 'Axis camera', { manufacturer: 'Axis' });
  assert.equal(await nameOf(maker), 'Câmara fixa Axis perto de Lindenhof');
});

test('the category is shown in the language of the reader before the town is known', async () => {
  /** @type {string[]} */
  const shown = [];
  const part = device('b1', 'Camera');
  withName(part, (name) => shown.push(name));
  assert.deepEqual(shown, ['Câmara fixa']);
  await nameOf(part);
  assert.deepEqual(shown, ['Câmara fixa', 'Câmara fixa perto de Lindenhof']);
});

test('a name that somebody chose is shown without a request', async () => {
  assert.equal(await nameOf(device('c1', 'Market hall')), 'Market hall');
  assert.equal(await nameOf({ id: 'c2', name: 'Market hall', category: null }), 'Market hall');
  assert.deepEqual(requests, []);
});

test('a response without the category has the same name', async () => {
  const { id, name } = device('d1', 'Camera');
  assert.equal(await nameOf({ id, name }), 'Câmara fixa perto de Lindenhof');
});

test('of a device that is gone or renamed, the name it was known by', async () => {
  assert.equal(await nameOf({ id: 'e1', name: 'Camera', category: 'camera_fixed' }), 'Câmara fixa');
  device('e2', 'Câmara do mercado');
  assert.equal(await nameOf({ id: 'e2', name: 'Camera', category: 'camera_fixed' }), 'Câmara fixa');
});

test('one request has the names of fifty devices, those that are gone among them', async () => {
  const parts = Array.from({ length: 80 }, (_, number) => device(`f${number}`, 'Camera'));
  delete devices.f3;
  const names = await Promise.all([...parts, ...parts].map(nameOf));
  assert.equal(names[3], 'Câmara fixa');
  assert.equal(names.filter((name) => name === 'Câmara fixa perto de Lindenhof').length, 158);
  assert.equal(requests.filter((path) => path.startsWith(ITEMS)).length, 2);
});

test('after an outage the name is asked for again', async () => {
  const part = device('g1', 'Camera');
  isOut = true;
  assert.equal(await nameOf(part), 'Câmara fixa');
  isOut = false;
  assert.equal(await nameOf(part), 'Câmara fixa perto de Lindenhof');
});

/** Places that show a name as it is stored, with the reason. */
const STORED = {
  'add/screens/review.js': 'the name that the person has just written',
  'choices/choice-page.js': 'a choice in the browser has the displayed name',
  'choices/page.js': 'a choice in the browser has the displayed name',
  'devices/late-name.js': 'makes the displayed name',
  'devices/name.js': 'makes the displayed name',
  'ledger/ledger.js': 'checks a file',
  'lists/devices.js': 'the rows of a file that somebody reviews',
  'requests/requests.js': 'reads a response',
  'search/rows.js': 'the searched word is in the stored name, beside the displayed one',
  'walk/carry.js': 'carries facts, not a page',
};

test('no page shows the stored name of a device', () => {
  const pattern = /\b[dD]evice\)?\??\.(properties\.)?name\b/;
  const found = readdirSync(new URL('public/js/', root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js') && pattern.test(readFileSync(new URL(`public/js/${file}`, root), 'utf8')));
  assert.deepEqual(found.sort(), Object.keys(STORED).sort());
});
