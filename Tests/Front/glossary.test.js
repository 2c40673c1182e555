// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explanations, folded, kindAddress, sourceOf, termAddress } from '../../public/js/glossary/glossary.js';

/** @param {string} code @param {Record<string, any>} [more] */
const term = (code, more = {}) => ({ code, label: code, ...more });

test('a word explains what it sees, and the first of two words keeps it', () => {
  const found = explanations([
    term('plate', { see: ['data:plate', 'field:plate'] }), term('other', { see: ['data:plate'] }), term('none'), term('strange', { see: 'data:video' }),
  ]);
  assert.equal(found.get('data:plate')?.code, 'plate');
  assert.equal(found.get('field:plate')?.code, 'plate');
  assert.equal(found.size, 2);
});

test('a source is told in the reader’s language where it has a name there, else in English', () => {
  const source = { title: 'GDPR', url: 'https://eur-lex.europa.eu/', pt: 'RGPD' };
  assert.deepEqual(sourceOf(term('a', { sources: [source] }), 'pt'), { title: 'RGPD', url: source.url, language: 'pt' });
  assert.deepEqual(sourceOf(term('a', { sources: [source] }), 'en'), { title: 'GDPR', url: source.url, language: 'en' });
});

test('a source without a title or off https is none', () => {
  for (const sources of [undefined, [], 'x', [{ title: 'x' }], [{ title: 'x', url: 'javascript:alert(1)' }], [{ url: 'https://x.example/' }]]) {
    assert.equal(sourceOf(term('a', { sources }), 'en'), null);
  }
  assert.equal(sourceOf(undefined, 'en'), null);
});

test('addresses hold any code', () => {
  assert.equal(termAddress('consent'), '/learn/glossary#term-consent');
  assert.equal(kindAddress('a/b"'), '/learn/a%2Fb%22');
});

test('a search does not mind accents and capitals', () => {
  assert.equal(folded(' Oposição '), 'oposicao');
  assert.equal(folded('ALPR'), 'alpr');
});
