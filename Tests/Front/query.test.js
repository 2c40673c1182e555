import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeQuery, encodeQuery, parametersOf } from '../../public/js/query/address.js';
import { filterText, isComplete, OPERATORS, readFilter, valueCount } from '../../public/js/query/conditions.js';
import { snippets } from '../../public/js/query/snippets.js';

const KINDS = {
  name: 'text', category: 'code', data_collected: 'codes', units: 'number', last_confirmed: 'date',
  approximate: 'flag', geometry: 'area',
};
const kindOf = (property) => KINDS[property];
const VALUES = { text: "o'b%_\\x", code: 'alpr', codes: 'plate', number: '-2.5', date: '2026-11-21', area: '7.4' };

/** A complete condition for an operator. */
function conditionOf(property, operator) {
  const count = valueCount(operator) ?? 2;
  return { property, operator, values: Array.from({ length: count }, () => VALUES[KINDS[property]]) };
}
const every = Object.keys(KINDS).flatMap((property) => OPERATORS[KINDS[property]]
  .map((operator) => conditionOf(property, operator)));
const textOf = (...conditions) => filterText({ isAny: false, conditions }, kindOf);

test('every condition is read from the text it writes', () => {
  for (const condition of every) {
    assert.ok(isComplete(condition, KINDS[condition.property]), JSON.stringify(condition));
    assert.deepEqual(readFilter(textOf(condition), kindOf), { isAny: false, conditions: [condition] });
  }
});

test('conditions are joined by AND, or by OR where one of them is enough', () => {
  for (const isAny of [false, true]) {
    const text = filterText({ isAny, conditions: every }, kindOf);
    assert.deepEqual(readFilter(text, kindOf), { isAny, conditions: every });
    assert.equal(text.includes(' OR '), isAny);
  }
});

test('quotes and the signs of patterns in a text are escaped', () => {
  assert.equal(textOf(conditionOf('name', 'contains')), "CASEI(name) LIKE CASEI('%o''b\\%\\_\\\\x%')");
  assert.equal(textOf(conditionOf('name', 'is')), "name = 'o''b%_\\x'");
});

test('conditions without their values are left out of the text', () => {
  const half = [
    { property: 'units', operator: 'at_least', values: [''] }, { property: 'units', operator: 'between', values: ['1'] },
    { property: 'units', operator: 'at_least', values: ['1e5'] }, { property: 'category', operator: 'one_of', values: [] },
    { property: 'last_confirmed', operator: 'since', values: ['2026-11'] },
    { property: 'geometry', operator: 'within', values: [] }, { property: 'gone', operator: 'known', values: [] },
  ];
  assert.equal(textOf(...half), '');
  assert.equal(textOf(...half, conditionOf('units', 'known')), 'units IS NOT NULL');
});

test('an empty text has no conditions', () => {
  assert.deepEqual(readFilter('  ', kindOf), { isAny: false, conditions: [] });
});

test('keywords are read in lower case, and a comparison with one code as a list', () => {
  assert.deepEqual(readFilter("category='alpr' and units is not null", kindOf), {
    isAny: false,
    conditions: [
      { property: 'category', operator: 'one_of', values: ['alpr'] },
      { property: 'units', operator: 'known', values: [] },
    ],
  });
});

test('other texts are left to the person who wrote them', () => {
  for (const text of [
    'units > 2', 'NOT units >= 2', '(units >= 2)', 'units >= 2 AND', 'units >= 2 AND units IS NULL OR units <= 1',
    'gone = 1', "units = '2'", 'units BETWEEN 1 OR 2', "name LIKE 'a%'", "CASEI(name) LIKE CASEI('a_%')",
    "CASEI(name) LIKE CASEI('a')", 'S_WITHIN(geometry, BBOX(1, 2, 3, 4))', 'S_INTERSECTS(geometry, BBOX(1, 2, 3))',
    "category IN ()", "category IN ('a'", 'units >= 2units', "name = 'open", 'approximate <> TRUE', '🗺', 'units',
  ]) assert.equal(readFilter(text, kindOf), null, text);
});

test('a state is read from the address it writes', () => {
  const state = { filter: "name = 'São & João #1'", look: 'chart', columns: ['category', 'height'], by: 'operator' };
  assert.deepEqual(decodeQuery(new URL(encodeQuery(state), 'http://farol.invalid').search), state);
  assert.equal(encodeQuery(decodeQuery('')), '/query');
  assert.deepEqual(decodeQuery('columns=').columns, []);
});

test('unknown parts of an address are ignored, and a filter that is too long', () => {
  assert.deepEqual(decodeQuery('look=dance&by=shoes&columns=id,category,category'), {
    ...decodeQuery(''), columns: ['category'],
  });
  assert.equal(decodeQuery(`filter=${'a'.repeat(8_192)}`).filter.length, 8_192);
  assert.equal(decodeQuery(`filter=${'é'.repeat(4_097)}`).filter, '');
});

test('no sign of a query has a meaning in the languages of the snippets', () => {
  const filter = `name = '"$(reboot)\`!\\' OR units > 2\n-- é`;
  const all = snippets('https://farol.example.org', parametersOf({ filter }));
  assert.deepEqual(all.map(({ id }) => id), ['address', 'curl', 'python', 'r', 'duckdb']);
  for (const { code } of all) {
    const [, query] = /filter=([^&\s"']*)/.exec(code) ?? [];
    assert.match(query, /^[\w.~%-]+$/);
    assert.equal(decodeURIComponent(query), filter);
  }
});

test('without a filter the snippets name all devices', () => {
  const [address, curl] = snippets('https://farol.example.org', parametersOf({ filter: '' }));
  assert.equal(address.code, 'https://farol.example.org/api/collections/devices/items?limit=1000&properties=*');
  assert.match(curl.code, /'https:\/\/farol\.example\.org\/api\/exports\/devices\.geojson'$/);
});
