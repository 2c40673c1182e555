// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readOptions } from '../../public/js/choices/options.js';
import { COLUMNS, readOutcome, readOutcomes, readPractice, sorted } from '../../public/js/outcomes/outcomes.js';

/** @type {Record<string, Record<string, string>>} */
const catalogues = Object.fromEntries(['en', 'pt'].map((code) => [code, JSON.parse(readFileSync(new URL(`../../public/locale/${code}.json`, import.meta.url), 'utf8'))]));
const figures = { asked: 40, honoured: 25, refused: 5, overdue: 10, median_days: 18, as_of: '2026-11-20' };

test('an outcome is read as it was published', () => {
  assert.deepEqual(readOutcome(figures), { asked: 40, honoured: 25, refused: 5, overdue: 10, medianDays: 18, asOf: '2026-11-20' });
});

test('too few people are nothing, not zero', () => {
  for (const none of [null, undefined, {}, { ...figures, asked: null }, { ...figures, asked: 'many' }, { ...figures, asked: -5 }]) assert.equal(readOutcome(none), null);
  assert.equal(readOutcome({ ...figures, honoured: null })?.honoured, null);
  assert.equal(readOutcome({ ...figures, honoured: 0 })?.honoured, 0);
  assert.equal(readOutcome({ ...figures, median_days: 0.5 })?.medianDays, null);
});

test('a device has the practice of its operator and of its category, each by itself', () => {
  assert.deepEqual(readPractice({ operator: null, category: figures }), { operator: null, category: readOutcome(figures) });
  assert.deepEqual(readPractice({}), { operator: null, category: null });
});

test('the choices of a device bring its practice along, and none where the server says none', () => {
  assert.equal(readOptions({ offered: [] }).practice, null);
  assert.equal(readOptions({ practice: { category: figures } }).practice?.category?.asked, 40);
});

test('rows without a name or with too few people are left out', () => {
  const { rows, minimum, roundedTo, next } = readOutcomes({
    minimum: 20, rounded_to: 10, next: 'more',
    outcomes: [{ operator: { name: 'City', id: 'x' }, ...figures }, { operator: { name: ' ' }, ...figures }, { category: 'alpr', ...figures }, { category: 'beacon', asked: null }],
  });
  assert.deepEqual(rows.map(({ name, id, category }) => [name, id, category]), [['City', 'x', null], ['alpr', null, 'alpr']]);
  assert.deepEqual([minimum, roundedTo, next], [20, 10, 'more']);
});

test('an answer that is none has no rows and the usual limits', () => {
  assert.deepEqual(readOutcomes(null), { rows: [], minimum: 10, roundedTo: 5, next: null });
});

const rows = readOutcomes({ outcomes: [
  { operator: { name: 'Óscar' }, ...figures, asked: 15, median_days: null },
  { operator: { name: 'ana 10' }, ...figures, asked: 15, median_days: 30 },
  { operator: { name: 'Ana 9' }, ...figures, asked: 100, median_days: 3 },
] }).rows;
/** @param {import('../../public/js/outcomes/outcomes.js').Column} column @param {boolean} isUp */
const order = (column, isUp) => sorted(rows, column, isUp, ({ name }) => name, 'pt').map(({ name }) => name);

test('names are sorted as people sort them, both ways', () => {
  assert.deepEqual(order('name', true), ['Ana 9', 'ana 10', 'Óscar']);
  assert.deepEqual(order('name', false), ['Óscar', 'ana 10', 'Ana 9']);
});

test('numbers are sorted as numbers, equals by name', () => {
  assert.deepEqual(order('asked', true), ['ana 10', 'Óscar', 'Ana 9']);
  assert.deepEqual(order('asked', false), ['Ana 9', 'ana 10', 'Óscar']);
});

test('what is not known comes last, both ways', () => {
  assert.equal(order('medianDays', true).at(-1), 'Óscar');
  assert.equal(order('medianDays', false).at(-1), 'Óscar');
});

test('sorting leaves the rows as they were', () => {
  const before = rows.map(({ name }) => name);
  order('asked', true);
  assert.deepEqual(rows.map(({ name }) => name), before);
});

for (const [language, catalogue] of Object.entries(catalogues)) {
  test(`every column and what it means has its words in ${language}`, () => {
    for (const column of COLUMNS.slice(1)) for (const key of [`outcomes.${column}`, `outcomes.${column}.means`]) assert.ok(catalogue[key], key);
    for (const by of ['operator', 'category']) for (const key of [`outcomes.by.${by}`, `outcomes.name.${by}`]) assert.ok(catalogue[key], key);
  });
}
