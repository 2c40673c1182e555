// @ts-check
// Everything that Farol stores in a browser is in one list, which decides what signing out and «Delete what this
// browser keeps» delete.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import { openDatabase } from '../../public/js/storage/database.js';
import { forgetAll, forgetAtSignOut, item, KEPT } from '../../public/js/storage/kept.js';

const root = new URL('../../public/', import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(new URL(path, root), 'utf8');
/** @param {string} folder @returns {string[]} */
const scripts = (folder) => readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) => (
  entry.isDirectory() ? scripts(`${folder}${entry.name}/`)
    : entry.name.endsWith('.js') ? [`${folder}${entry.name}`] : []));

/** The full names of a stored browser: names that are beginnings get an ending. */
const full = (/** @type {string} */ name) => (/[.-]$/.test(name) ? `${name}1` : name);
const of = (/** @type {string} */ place) => Object.keys(KEPT).filter((name) => KEPT[name].in === place).map(full);

/** A storage whose items are its own properties, as in browsers. @param {string[]} names */
const storage = (names) => Object.assign(Object.create({
  /** @param {string} name */ getItem(name) { return this[name] ?? null; },
  /** @param {string} name @param {string} value */ setItem(name, value) { this[name] = value; },
  /** @param {string} name */ removeItem(name) { delete this[name]; },
}), Object.fromEntries(names.map((name) => [name, '1'])));

const browser = { databases: /** @type {string[]} */ ([]), caches: /** @type {string[]} */ ([]) };
const page = /** @type {any} */ (globalThis);

beforeEach(() => {
  page.localStorage = storage([...of('local'), 'other']);
  page.sessionStorage = storage(of('tab'));
  browser.databases = of('database');
  browser.caches = of('cache');
  page.indexedDB = {
    databases: async () => browser.databases.map((name) => ({ name, version: 1 })),
    deleteDatabase: (/** @type {string} */ name) => {
      const request = /** @type {any} */ ({});
      queueMicrotask(() => {
        browser.databases = browser.databases.filter((one) => one !== name);
        request.onsuccess();
      });
      return request;
    },
  };
  page.caches = {
    keys: async () => [...browser.caches],
    delete: async (/** @type {string} */ name) => {
      browser.caches = browser.caches.filter((one) => one !== name);
      return true;
    },
  };
});

/** All names that the browser holds. */
const held = () => [
  ...Object.keys(page.localStorage), ...Object.keys(page.sessionStorage), ...browser.databases, ...browser.caches,
].sort();

test('signing out deletes what belongs to the account and what its user has read', async () => {
  await forgetAtSignOut();
  const stay = Object.keys(KEPT).filter((name) => KEPT[name].signOut !== 'goes').map(full);
  assert.deepEqual(held(), [...stay, 'other'].sort());
  for (const name of ['farol-edits', 'farol.view', 'farol-answers-1', 'farol-pages-1', 'farol.mapping']) {
    assert.ok(!held().includes(name), name);
  }
});

test('deleting everything leaves only the files of the program, and data of others on the same origin', async () => {
  page.localStorage.setItem('farol.old', 'of an earlier version');
  browser.databases.push('farol-old');
  browser.caches.push('farol-old-1');
  await forgetAll();
  assert.deepEqual(held(), ['farol-shell-1', 'other']);
});

test('a browser that lists no databases deletes those of the list', async () => {
  delete page.indexedDB.databases;
  await forgetAll();
  assert.deepEqual(browser.databases, []);
});

test('a browser that refuses storage can sign out', async () => {
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(page, name, { configurable: true, get() { throw new Error('refused'); } });
  }
  page.indexedDB.databases = () => Promise.reject(new Error('refused'));
  page.indexedDB.deleteDatabase = () => {
    const request = /** @type {any} */ ({});
    queueMicrotask(() => request.onerror());
    return request;
  };
  page.caches.keys = () => Promise.reject(new Error('refused'));
  await forgetAtSignOut();
  await forgetAll();
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(page, name, { configurable: true, writable: true, value: storage([]) });
  }
});

test('a page stores nothing under a name that is not in the list', async () => {
  assert.throws(() => item('farol.new'));
  assert.throws(() => item('farol-edits'));
  await assert.rejects(openDatabase('farol-new', [{ one: { key: 'id' } }]));
  item('farol.view').set('1/2/3');
  assert.equal(page.localStorage.getItem('farol.view'), '1/2/3');
  item('farol.token.', '/reset').set('abc');
  assert.equal(page.sessionStorage.getItem('farol.token./reset'), 'abc');
});

// These two are no modules. They only read, except for the token of a mailed link.
const OWN = ['js/early.js', 'js/first-visit.js'];

test('no other script reaches the storage of the browser', () => {
  const reaching = scripts('js/').filter((path) => /\b(localStorage|sessionStorage|indexedDB|caches)\b/.test(
    read(path).replace(/\/\/.*|\/\*[^]*?\*\//g, '')));
  assert.deepEqual(reaching.sort(), [...OWN, 'js/storage/database.js', 'js/storage/kept.js'].sort());
});

test('the names in scripts that are no modules are in the list', () => {
  for (const path of [...OWN, 'service-worker.js']) {
    const names = [...read(path).matchAll(/['`](farol[.-][a-z.-]+)/g)].map(([, name]) => name)
      .filter((name) => name !== 'farol-'); // the beginning of all caches
    assert.ok(names.length, path);
    for (const name of names) assert.ok(KEPT[name], `${path}: ${name}`);
  }
});

test('the terms page explains every name of the list', () => {
  const declared = JSON.parse(read('terms/stored.json')).kept.flatMap((/** @type {any} */ one) => one.names);
  assert.deepEqual(declared.sort(), Object.keys(KEPT).sort());
});
