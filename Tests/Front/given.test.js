// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';

/**
 * Imports a new instance of the module in a page with this text.
 * @param {string | null} textContent of the element; null: the page has no such element
 * @returns {Promise<(path: string) => any>}
 */
async function inPage(textContent) {
  const document = {
    querySelector: (/** @type {string} */ name) =>
      (name === 'script#given' && textContent !== null ? { textContent } : null),
  };
  Object.assign(globalThis, { document });
  return (await import(`../../public/js/given.js?${Math.random()}`)).given;
}

test('returns an embedded response under its path', async () => {
  const given = await inPage('{"/api/settings": {"name": "A"}, "/api/taxonomies/data?lang=en": {"terms": []}}');
  assert.deepEqual(given('/api/settings'), { name: 'A' });
  assert.deepEqual(given('/api/taxonomies/data?lang=en'), { terms: [] });
  assert.equal(given('/api/taxonomies/data?lang=pt'), undefined);
});

test('returns nothing if the page has no embedded response or an incomplete one', async () => {
  for (const text of [null, '', '{"/api/settings": {"na']) {
    assert.equal((await inPage(text))('/api/settings'), undefined);
  }
});
