// @ts-check
// The table of properties: every property has words in both languages, a place and a question that exist.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { QUESTIONS } from '../../public/js/add/questions.js';
import { PROPERTIES, propertyNamed } from '../../public/js/devices/properties.js';
import { SECTIONS } from '../../public/js/devices/record.js';

const root = new URL('../../', import.meta.url);
const read = (/** @type {string} */ path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));
const catalogues = ['en', 'pt'].map((language) => {
  const path = `public/locale/${language}.json`;
  return { path, words: read(path) };
});
const table = 'public/js/devices/properties.js';
const taxonomies = readdirSync(new URL('seed/taxonomies/', root)).map((name) => name.replace('.json', ''));

test('every property has a name, and every unit has words', () => {
  for (const { path, words } of catalogues) {
    for (const { name, unit } of PROPERTIES) {
      assert.ok(words[`field.${name}`] ?? words[`said.${name}`], `${path} lacks field.${name}`);
      if (unit) assert.match(words[unit] ?? '', /\{count\}/, `${path} needs the key ${unit} with {count}`);
    }
  }
});

test('every property that users edit is in one section of the form', () => {
  const shown = SECTIONS.flatMap(({ fields }) => fields);
  assert.equal(new Set(shown).size, shown.length);
  for (const { name, section } of PROPERTIES) {
    assert.equal(shown.includes(name), section !== undefined, `${table}: the section of ${name}`);
  }
  assert.deepEqual(shown.filter((name) => !propertyNamed(name)), ['place']);
});

test('every question of a property exists and asks for it', () => {
  for (const { name, question } of PROPERTIES) {
    const asking = QUESTIONS.filter((one) => one.properties.includes(name)).map(({ id }) => id);
    assert.deepEqual(asking, question === undefined ? [] : [question],
      `${table}: public/js/add/questions.js has no question ${question} for ${name}`);
  }
  for (const { path, words } of catalogues) {
    for (const { id, properties } of QUESTIONS) {
      if (properties.length) assert.ok(words[`ask.${id}`] && words[`ask.${id}.short`], `${path}: ask.${id}`);
    }
  }
});

test('the taxonomy of a code exists', () => {
  for (const { name, kind, scheme } of PROPERTIES) {
    if (kind === 'code' || kind === 'codes') assert.ok(scheme, `${table}: ${name} needs a scheme`);
    if (scheme) assert.ok(taxonomies.includes(scheme), `${table}: seed/taxonomies/${scheme}.json does not exist`);
  }
});
