// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { startLanguage } from '../../public/js/i18n.js';
import { whoseWords } from '../../public/js/places/whose.js';

before(async () => {
  Object.defineProperty(globalThis, 'navigator', { value: { languages: [] }, configurable: true });
  Object.assign(globalThis, {
    location: { search: '?lang=en' },
    document: { documentElement: { lang: 'en', dataset: {} }, querySelectorAll: () => [] },
  });
  await startLanguage(async (path) => (
    JSON.parse(readFileSync(new URL(`../../public/${path}`, import.meta.url), 'utf8'))));
});

test('the largest operators are named, the others and the unknown ones are counted', () => {
  assert.equal(whoseWords({
    total: 302, rest: { groups: 6, count: 9 },
    groups: [
      { operator: null, count: 282 }, { operator: 'Technopark', count: 6 }, { operator: 'Koko Chicken', count: 5 },
    ],
  }), 'Operators: Technopark 6, Koko Chicken 5 and 6 others. The operator of 282 devices is unknown.');
});

test('a place whose operators are all known, all unknown, or without devices', () => {
  assert.equal(whoseWords({ total: 2, groups: [{ operator: 'City', count: 2 }] }), 'Operators: City 2.');
  assert.equal(whoseWords({ total: 1, groups: [{ operator: null, count: 1 }] }),
    'The operator of 1 device is unknown.');
  assert.equal(whoseWords({ total: 0, groups: [] }), '');
});
