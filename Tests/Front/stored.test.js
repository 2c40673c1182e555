// @ts-check
// The terms page lists all data that stay in the reader’s browser, by the names of the storage keys.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../public/', import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(new URL(path, root), 'utf8');
const { kept } = JSON.parse(read('terms/stored.json'));
/** @type {string[]} */
const declared = kept.flatMap((/** @type {any} */ one) => one.names);

// Names that store no data: events, a lock, a channel between tabs, the formats of exported files.
const KEEPS_NOTHING = [
  'farol-undone', 'farol-outbox', 'farol.session', 'farol-records', 'farol.json', 'farol.ics', 'farol.txt', 'farol-',
  'farol-shell', 'farol-ledger-', 'farol-walk-outbox', 'farol-street.png', 'farol-visits',
];

/** @param {string} folder @returns {string[]} */
function scripts(folder) {
  return readdirSync(new URL(folder, root), { withFileTypes: true })
    .flatMap((entry) =>
      (entry.isDirectory() ? scripts(`${folder}${entry.name}/`) : entry.name.endsWith('.js')
        ? [`${folder}${entry.name}`]
        : []));
}

const used = new Set([...scripts('js/'),
  'service-worker.js']
    .flatMap((path) => [...read(path).matchAll(/['`](farol[.-][a-z0-9.-]*)/g)].map(([, name]) => name)));
const isDeclared = (/** @type {string} */ name) =>
  declared.some((one) => (/[.-]$/.test(one) ? name.startsWith(one) : name === one));

test('the terms page lists all data that a browser stores', () => {
  assert.ok(used.size > 10);
  assert.deepEqual([...used]
    .filter((name) => !isDeclared(name) && !KEEPS_NOTHING.includes(name) && !/\.(jsonld|ics|json)$/.test(name)).sort(),
    []);
});

test('the terms page lists no data that are not stored', () => {
  for (const name of declared) assert.ok([...used].some((one) => one.startsWith(name)), name);
});

test('the list of stored data is in both languages', () => {
  for (const one of kept) assert.ok(one.en.trim() && one.pt.trim(), one.id);
});
