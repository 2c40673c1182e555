// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';

/**
 * The module anew, in a page that holds a text.
 * @param {string | null} textContent of the element; null: there is none
 * @returns {Promise<(path: string) => any>}
 */
async function inPage(textContent) {
  const document = { querySelector: (/** @type {string} */ name) => (name === 'script#given' && textContent !== null ? { textContent } : null) };
  Object.assign(globalThis, { document });
  return (await import(`../../public/js/given.js?${Math.random()}`)).given;
}

test('an answer that came with the page is there under its path', async () => {
  const given = await inPage('{"/api/settings": {"name": "A"}, "/api/taxonomies/data?lang=en": {"terms": []}}');
  assert.deepEqual(given('/api/settings'), { name: 'A' });
  assert.deepEqual(given('/api/taxonomies/data?lang=en'), { terms: [] });
  assert.equal(given('/api/taxonomies/data?lang=pt'), undefined);
});

test('a page that brings none, or broke off, has none', async () => {
  for (const text of [null, '', '{"/api/settings": {"na']) assert.equal((await inPage(text))('/api/settings'), undefined);
});
