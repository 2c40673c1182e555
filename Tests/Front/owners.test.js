// @ts-check
// Some concerns have one module. Other scripts call it rather than the browser.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../public/js/', import.meta.url);

/** @param {string} folder @returns {string[]} */
function scripts(folder) {
  return readdirSync(new URL(folder, root), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? scripts(`${folder}${entry.name}/`) : [`${folder}${entry.name}`]))
    .filter((path) => path.endsWith('.js'));
}

/** @type {[owner: string, what: string, code: RegExp][]} */
const OWNERS = [
  ['api.js', 'sends requests', /\bfetch\(|XMLHttpRequest\(/],
  ['dialog.js', 'opens modal dialogs', /\bh\('dialog'|showModal\(/],
  ['storage/database.js', 'opens IndexedDB', /\bindexedDB\.open\(/],
  ['storage/kept.js', 'reaches items and caches', /\bcaches\.|\b(?:local|session)Storage\)/],
];

for (const [owner, what, code] of OWNERS) {
  test(`only ${owner} ${what}`, () => {
    // early.js reports errors, even if no module can be loaded.
    const found = scripts('').filter((path) => path !== 'early.js' && code.test(readFileSync(new URL(path, root), 'utf8')));
    assert.deepEqual(found, [owner]);
  });
}
