// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readOptions } from '../../public/js/ledger/options.js';
import { COLUMNS, readOutcome, readOutcomes, readPractice, sorted } from '../../public/js/ledger/outcomes.js';

/** @type {Record<string, Record<string, string>>} */
const catalogues = Object.fromEntries(['en', 'pt'].map((code) => [
  code, JSON.parse(readFileSync(new URL(`../../public/locale/${code}.json`, import.meta.url), 'utf8')),
]));
const figures = { asked: 40, honoured: 25, refused: 5, overdue: 10, median_days: 18, as_of: '2026-11-20' };

test('reads a published outcome', () => {
  assert.deepEqual(readOutcome(figures),
    { asked: 40, honoured: 25, refused: 5, overdue: 10, medianDays: 18, asOf: '2026-11-20' });
});

test('too few requesters give null instead of zero', () => {
  for (const none of [
    null, undefined, {}, { ...figures, asked: null }, { ...figures, asked: 'many' },
    { ...figures, asked: -5 },
  ]) {
    assert.equal(readOutcome(none), null);
  }
  assert.equal(readOutcome({ ...figures, honoured: null })?.honoured, null);
  assert.equal(readOutcome({ ...figures, honoured: 0 })?.honoured, 0);
  assert.equal(readOutcome({ ...figures, median_days: 0.5 })?.medianDays, null);
});

test('reads the outcomes of the operator and of the category separately', () => {
  assert.deepEqual(readPractice({ operator: null, category: figures }),
    { operator: null, category: readOutcome(figures) });
  assert.deepEqual(readPractice({}), { operator: null, category: null });
});

test('the choices of a device include its outcomes, if the server sends them', () => {
  assert.equal(readOptions({ offered: [] }).practice, null);
  assert.equal(readOptions({ practice: { category: figures } }).practice?.category?.asked, 40);
});

test('omits rows without a name or with too few requesters', () => {
  const { rows, minimum, roundedTo, next } = readOutcomes({
    minimum: 20, rounded_to: 10, next: 'more',
    outcomes: [
      { operator: { name: 'City', id: 'x' }, ...figures }, { operator: { name: ' ' }, ...figures },
      { category: 'alpr', ...figures }, { category: 'beacon', asked: null },
    ],
  });
  assert.deepEqual(rows.map(({ name, id, category }) => [name, id, category]),
    [['City', 'x', null], ['alpr', null, 'alpr']]);
  assert.deepEqual([minimum, roundedTo, next], [20, 10, 'more']);
});

test('an invalid response has no rows and the default limits', () => {
  assert.deepEqual(readOutcomes(null), { rows: [], minimum: 10, roundedTo: 5, next: null });
});

const rows = readOutcomes({ outcomes: [
  { operator: { name: 'Óscar' }, ...figures, asked: 15, median_days: null },
  { operator: { name: 'ana 10' }, ...figures, asked: 15, median_days: 30 },
  { operator: { name: 'Ana 9' }, ...figures, asked: 100, median_days: 3 },
] }).rows;
/** @param {import('../../public/js/ledger/outcomes.js').Column} column @param {boolean} isUp */
const order = (column, isUp) => sorted(rows, column, isUp, ({ name }) => name, 'pt').map(({ name }) => name);

test('sorts names by locale in both directions', () => {
  assert.deepEqual(order('name', true), ['Ana 9', 'ana 10', 'Óscar']);
  assert.deepEqual(order('name', false), ['Óscar', 'ana 10', 'Ana 9']);
});

test('sorts numbers by value, and equal values by name', () => {
  assert.deepEqual(order('asked', true), ['ana 10', 'Óscar', 'Ana 9']);
  assert.deepEqual(order('asked', false), ['Ana 9', 'ana 10', 'Óscar']);
});

test('unknown values come last in both directions', () => {
  assert.equal(order('medianDays', true).at(-1), 'Óscar');
  assert.equal(order('medianDays', false).at(-1), 'Óscar');
});

test('sorting does not change the input', () => {
  const before = rows.map(({ name }) => name);
  order('asked', true);
  assert.deepEqual(rows.map(({ name }) => name), before);
});

for (const [language, catalogue] of Object.entries(catalogues)) {
  test(`every column has a name and an explanation in ${language}`, () => {
    for (const column of COLUMNS.slice(1)) for (const key of [`outcomes.${column}`, `outcomes.${column}.means`]) {
      assert.ok(catalogue[key], key);
    }
    for (const by of ['operator', 'category']) for (const key of [`outcomes.by.${by}`, `outcomes.name.${by}`]) {
      assert.ok(catalogue[key], key);
    }
  });
}
