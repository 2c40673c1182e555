// @ts-check
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { startLanguage } from '../../public/js/i18n.js';
import { noteWords } from '../../public/js/mapping/note-words.js';

const root = new URL('../../', import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(new URL(path, root), 'utf8');
/** Codes whose detail the author of a mapping wrote. */
const AUTHORED = ['by_rule', 'by_value', 'refused_value'];

/** @param {'en' | 'pt'} language */
async function speak(language) {
  Object.assign(globalThis, {
    document: { documentElement: { lang: language, dataset: {} }, querySelectorAll: () => [] },
    location: { search: `?lang=${language}` }, navigator: { languages: [] },
  });
  await startLanguage(async () => JSON.parse(read(`public/locale/${language}.json`)));
}

test('a note is in the language of the page, with the piece of the row in its detail', async () => {
  const note = { code: 'not_a_date', detail: '“a “b” c” is no date in the formats of the mapping.' };
  await speak('pt');
  assert.equal(noteWords(note), '«a “b” c» não é uma data nos formatos da correspondência.');
  await speak('en');
  assert.equal(noteWords(note), note.detail);
});

test('a detail that the author of a mapping wrote stays as it is', async () => {
  await speak('pt');
  assert.equal(noteWords({ code: 'by_rule', detail: 'Ask the council.' }), 'Ask the council.');
  assert.equal(noteWords({ code: 'not_a_date', detail: 'No day.' }), 'No day.');
});

test('each code of the import has words', () => {
  const codes = new Set();
  for (const target of ['Import', 'WrittenValues']) {
    const folder = new URL(`Sources/${target}/`, root);
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.swift')) continue;
      const source = readFileSync(new URL(name, folder), 'utf8');
      for (const [, code] of source.matchAll(/(?:code: |note\(\s*(?:[.\w]+,\s*)?)"([a-z_]+)"/g)) codes.add(code);
    }
  }
  assert.ok(codes.size > 40, `${codes.size} codes`);
  const words = JSON.parse(read('public/locale/en.json'));
  assert.deepEqual([...codes].filter((code) => !AUTHORED.includes(code) && !words[`import.note.${code}`]), []);
});
