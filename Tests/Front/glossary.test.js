// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explanations, folded, kindAddress, sourceOf, termAddress } from '../../public/js/glossary/glossary.js';

/** @param {string} code @param {Record<string, any>} [more] */
const term = (code, more = {}) => ({ code, label: code, ...more });

test('a term explains its subjects, and the first of two terms takes precedence', () => {
  const found = explanations([
    term('plate', { see: ['data:plate', 'field:plate'] }), term('other', { see: ['data:plate'] }), term('none'),
    term('strange', { see: 'data:video' }),
  ]);
  assert.equal(found.get('data:plate')?.code, 'plate');
  assert.equal(found.get('field:plate')?.code, 'plate');
  assert.equal(found.size, 2);
});

test('shows the title of a source in the reader’s language, otherwise in English', () => {
  const source = { title: 'GDPR', url: 'https://eur-lex.europa.eu/', pt: 'RGPD' };
  assert.deepEqual(sourceOf(term('a', { sources: [source] }), 'pt'),
    { title: 'RGPD', url: source.url, language: 'pt' });
  assert.deepEqual(sourceOf(term('a', { sources: [source] }), 'en'),
    { title: 'GDPR', url: source.url, language: 'en' });
});

test('ignores a source without a title or without https', () => {
  for (const sources of [
    undefined, [], 'x', [{ title: 'x' }], [{ title: 'x', url: 'javascript:alert(1)' }],
    [{ url: 'https://x.example/' }],
  ]) {
    assert.equal(sourceOf(term('a', { sources }), 'en'), null);
  }
  assert.equal(sourceOf(undefined, 'en'), null);
});

test('addresses encode any code', () => {
  assert.equal(termAddress('consent'), '/learn/glossary#term-consent');
  assert.equal(kindAddress('a/b"'), '/learn/a%2Fb%22');
});

test('search ignores diacritics and case', () => {
  assert.equal(folded(' Oposição '), 'oposicao');
  assert.equal(folded('ALPR'), 'alpr');
});
