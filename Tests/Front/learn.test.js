// @ts-check
// The glossary and the category pages are complete in every language and have sources, and all their links lead to
// existing targets.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const seed = new URL('../../seed/', import.meta.url);
const read = (/** @type {string} */ path) => JSON.parse(readFileSync(new URL(path, seed), 'utf8'));
const LANGUAGES = ['en', 'pt'];
const SECTIONS = ['what', 'recognise', 'mistaken', 'collects', 'do'];

/** @type {Record<string, any[]>} */
const schemes = Object.fromEntries(readdirSync(new URL('taxonomies/', seed)).filter((name) => name.endsWith('.json'))
  .map((name) => [name.replace('.json', ''), read(`taxonomies/${name}`).terms]));
const { glossary, categories } = schemes;
const codes = (/** @type {string} */ scheme) => new Set((schemes[scheme] ?? []).map((term) => term.code));
const pages = readdirSync(new URL('learn/categories/', seed))
  .map((name) => ({ file: name, page: read(`learn/categories/${name}`) }));
const introduction = read('learn/introduction.json');
const help = read('learn/help.json');
const locale = JSON.parse(readFileSync(new URL('../public/locale/en.json', seed), 'utf8'));

/** @param {any[]} sources @param {string} where */
function checkSources(sources, where) {
  assert.ok(sources.length > 0, `${where} names no source`);
  for (const { title, url } of sources) {
    assert.ok(title.trim().length > 3, where);
    const { protocol, hostname } = new URL(url);
    assert.equal(protocol, 'https:', `${where}: ${url}`);
    assert.ok(hostname.includes('.') && !/example|localhost/.test(hostname), `${where}: ${url}`);
  }
}

/** @param {(string | string[])[]} passage */
const words = (passage) => passage.flat().join(' ').replace(/\]\([^)]*\)/g, '').split(/\s+/).filter(Boolean).length;

/** @param {(string | string[])[]} passage @param {string} where */
function checkLinks(passage, where) {
  for (const text of passage.flat()) {
    for (const [, target] of text.matchAll(/\]\(([^)]*)\)/g)) {
      if (target.startsWith('/')) continue;
      const [scheme, code] = target.split(':');
      assert.ok(['glossary', 'categories'].includes(scheme) && codes(scheme).has(code), `${where}: ${target}`);
    }
    assert.doesNotMatch(text.replace(/\[[^\][]+\]\([^()]+\)/g, ''), /[[\]]/, `${where}: a bracket without its link`);
    assert.equal((text.match(/\*/g) ?? []).length % 2, 0, `${where}: a star without its other`);
  }
}

test('the glossary has at least sixty terms, each once', () => {
  assert.ok(glossary.length >= 60, `${glossary.length}`);
  assert.equal(codes('glossary').size, glossary.length);
});

test('every term has one to three sentences in every language, and a source', () => {
  for (const term of glossary) {
    for (const language of LANGUAGES) {
      assert.ok(term[language]?.label.trim(), `${term.code} ${language}`);
      const { definition } = term[language];
      assert.match(definition, /[.»”]$/, `${term.code} ${language}`);
      assert.ok(definition.length >= 40 && definition.length <= 260, `${term.code} ${language}: ${definition.length}`);
    }
    assert.notEqual(term.en.definition, term.pt.definition, term.code);
    checkSources(term.sources, term.code);
  }
});

test('no two terms have the same name', () => {
  for (const language of LANGUAGES) {
    const names = glossary.map((term) => term[language].label.toLowerCase());
    assert.equal(new Set(names).size, names.length,
      names.filter((name, index) => names.indexOf(name) !== index).join());
  }
});

test('every «see» has a target, and each subject has one term', () => {
  const seen = new Set();
  for (const term of glossary) {
    for (const see of term.see) {
      const [scheme, code] = see.split(':');
      if (scheme === 'field') assert.ok(`field.${code}` in locale || code === 'choices' || code === 'basis', see);
      else assert.ok(codes(scheme).has(code), `${term.code}: ${see}`);
      assert.ok(!seen.has(see), `${see} is explained by two terms`);
      seen.add(see);
    }
  }
});

test('every category has a page, and every page a category', () => {
  assert.equal(categories.length, 24);
  assert.deepEqual(pages.map(({ page }) => page.code).sort(), [...codes('categories')].sort());
  for (const { file, page } of pages) assert.equal(file, `${page.code}.json`);
});

for (const { page } of pages) {
  test(`the page of ${page.code} has every section in every language, with a readable length`, () => {
    assert.deepEqual(Object.keys(page).filter((key) => key.length === 2).sort(), [...LANGUAGES].sort());
    for (const language of LANGUAGES) {
      assert.deepEqual(Object.keys(page[language]), SECTIONS, language);
      for (const [section, passage] of Object.entries(page[language])) {
        assert.ok(words(passage) >= 10, `${language} ${section}`);
        checkLinks(passage, `${page.code} ${language} ${section}`);
      }
      const total = SECTIONS.reduce((sum, section) => sum + words(page[language][section]), 0);
      assert.ok(total >= 150 && total <= 350, `${language}: ${total} words`);
      // Lists in one language are lists in the others.
      const shape = (/** @type {any} */ text) =>
        SECTIONS.map((section) => text[section]
          .map((/** @type {any} */ part) => (Array.isArray(part) ? part.length : 0)));
      assert.deepEqual(shape(page[language]), shape(page.en), language);
    }
    checkSources(page.sources, page.code);
  });
}

test('the introduction has the same sections in every language, and sources', () => {
  checkSources(introduction.sources, 'introduction');
  for (const language of LANGUAGES) {
    const text = introduction[language];
    assert.ok(text.title && text.lead, language);
    assert.deepEqual(text.sections.map((/** @type {any} */ { id }) => id),
      ['collect', 'risks', 'rights', 'limits', 'do']);
    for (const { id, title, text: passage } of text.sections) {
      assert.ok(title, id);
      checkLinks(passage, `introduction ${language} ${id}`);
    }
    for (const article of ['13', '14', '15', '16', '17', '18', '20', '21', '22', '77']) {
      assert.ok(JSON.stringify(text.sections).includes(article), `${language}: article ${article}`);
    }
  }
});

test('the help has the same ten pictures in every language, and its links have targets', () => {
  const [first, ...others] = LANGUAGES.map((language) => help[language].sections);
  assert.equal(first.filter((/** @type {any} */ section) => section.picture).length, 10);
  for (const sections of others) {
    assert.deepEqual(sections.map((/** @type {any} */ { id, picture }) => [id, Boolean(picture)]),
      first.map((/** @type {any} */ { id, picture }) => [id, Boolean(picture)]));
  }
  for (const language of LANGUAGES) {
    for (const { id, title, text } of help[language].sections) {
      assert.ok(title, `${language} ${id}`);
      checkLinks(text, `help ${language} ${id}`);
      assert.ok(words(text) < 110, `${language} ${id} is long`);
    }
  }
});
