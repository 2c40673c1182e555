// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { formatMeasure, formatShare } from '../../public/js/format.js';
import { crossing, groupRows, intervalKey, largest, readBox } from '../../public/js/statistics/figures.js';
import {
  comparedAreas, comparisonPath, tablePath, decodeQuestion, deviceParameters, emptyQuestion, encodeQuestion, groupsPath,
  INTERVALS, MEASURES, narrowed, PROPERTIES,
  sameDevices, seriesPath, statisticsAddress, wholePath,
} from '../../public/js/statistics/question.js';

/** @type {Record<string, Record<string, string>>} */
const catalogues = Object.fromEntries(['en', 'pt'].map((code) => [
  code, JSON.parse(readFileSync(new URL(`../../public/locale/${code}.json`, import.meta.url), 'utf8')),
]));

/** @param {Record<string, any>} given @returns {import('../../public/js/statistics/question.js').Question} */
const question = (given) => ({ ...emptyQuestion(), ...given });

test('an address contains the whole question and is read back unchanged', () => {
  const asked = question({
    filters: { category: ['alpr', 'webcam'], operator: ['Água, Lda. & Co'], country: ['PT'] }, words: 'são vicente',
    box: '-9.3,38.6,-9,38.8', place: '2267057',
    charts: ['zone', 'category'], cross: ['status', 'category'], interval: 'week', from: '2026-01-01', to: '2026-02-28',
    compare: ['country:PT', 'place:2267057'], measure: 'density',
  });
  const [path, query] = encodeQuestion(asked).split('?');
  assert.equal(path, '/statistics');
  assert.deepEqual(decodeQuestion(query), asked);
});

test('omits default values from the address', () => {
  assert.equal(encodeQuestion(emptyQuestion()), '/statistics');
  assert.deepEqual(decodeQuestion(''), emptyQuestion());
});

test('an empty list of charts is a valid choice', () => {
  const asked = question({ charts: [] });
  assert.deepEqual(decodeQuestion(encodeQuestion(asked).split('?')[1]), asked);
});

test('ignores invalid parts of an address', () => {
  const read = decodeQuestion(
    'bbox=1,2,3&place=x&charts=colour&cross=zone,zone&interval=hour&from=yesterday&to=2026&compare=planet:1'
    + '&compare=country:pt&measure=all&category=<b>',
  );
  assert.deepEqual(read, question({ charts: [] }));
});

test('compares at most as many areas as the API accepts', () => {
  const query = Array.from({ length: 20 }, (_, number) => `compare=place:${number}`).join('&');
  assert.equal(decodeQuestion(query).compare.length, 12);
});

test('requests contain the filters and the area', () => {
  const asked = question({ filters: { category: ['alpr'], zone: ['park', 'school'] }, words: 'gate', box: '1,2,3,4' });
  assert.equal(wholePath(asked), '/api/statistics?category=alpr&zone=park&zone=school&q=gate&bbox=1%2C2%2C3%2C4');
  assert.equal(wholePath(emptyQuestion()), '/api/statistics');
  assert.equal(groupsPath(emptyQuestion(), ['category', 'zone'], 50),
    '/api/statistics?group_by=category%2Czone&limit=50');
  assert.equal(seriesPath(question({ interval: 'day', to: '2026-05-01' })),
    '/api/statistics?interval=day&to=2026-05-01');
});

test('areas are compared under the filters, not within another area', () => {
  const asked = question({
    filters: { category: ['alpr'], country: ['CH'] }, box: '1,2,3,4', place: '5', compare: ['country:PT', 'place:7'],
  });
  assert.equal(comparisonPath(asked), '/api/statistics?category=alpr&compare=country%3APT&compare=place%3A7');
});

test('the area of the page comes first in the comparison, once', () => {
  const compare = ['country:PT', 'place:7'];
  assert.deepEqual(comparedAreas(question({ place: '5', compare })), ['place:5', ...compare]);
  assert.deepEqual(comparedAreas(question({ place: '7', compare })), compare);
  assert.deepEqual(comparedAreas(question({ filters: { country: ['CH', 'PT'] }, compare })),
    ['country:CH', ...compare]);
  assert.deepEqual(comparedAreas(question({ compare })), compare);
  assert.deepEqual(comparedAreas(question({ place: '5', compare: [] })), []);
});

test('does not compare a box or the intersection of a place and a country', () => {
  const compare = ['country:PT'];
  assert.deepEqual(comparedAreas(question({ box: '1,2,3,4', filters: { country: ['CH'] }, compare })), compare);
  assert.deepEqual(comparedAreas(question({ place: '5', filters: { country: ['CH'] }, compare })), compare);
});

test('omits the area of the page after twelve added areas', () => {
  const compare = Array.from({ length: 12 }, (_, number) => `place:${number + 100}`);
  assert.deepEqual(comparedAreas(question({ place: '5', compare })), compare);
  assert.deepEqual(comparedAreas(question({ place: '5', compare: compare.slice(1) })),
    ['place:5', ...compare.slice(1)]);
});

test('a table of groups has all of them', () => {
  assert.equal(tablePath('/api/statistics?group_by=category&limit=200'),
    '/api/statistics?group_by=category&limit=10000&f=csv');
  assert.equal(tablePath('/api/statistics'), '/api/statistics?f=csv');
  assert.equal(tablePath('/api/statistics?limit=200', 'xlsx'), '/api/statistics?limit=10000&f=xlsx');
});

test('a group replaces other values of its filter', () => {
  const asked = question({ filters: { category: ['alpr', 'webcam'], status: ['confirmed'] } });
  assert.deepEqual(narrowed(asked, 'category', 'alpr')?.filters, { category: ['alpr'], status: ['confirmed'] });
  assert.deepEqual(narrowed(asked, 'operator', 'A, B')?.filters.operator, ['A, B']);
  assert.deepEqual(narrowed(asked, 'operator_kind', 'unknown')?.filters.operator_kind, ['unknown']);
});

test('a group without a filter or with an active one changes nothing', () => {
  const asked = question({ filters: { category: ['alpr'] } });
  assert.equal(narrowed(asked, 'category', 'alpr'), null);
  assert.equal(narrowed(asked, 'source', 'A list'), null);
  assert.equal(narrowed(asked, 'zone', null), null);
});

test('charts and periods do not change the set of counted devices', () => {
  assert.ok(sameDevices(emptyQuestion(), question({ charts: [], interval: 'day', compare: ['country:PT'] })));
  assert.ok(!sameDevices(emptyQuestion(), question({ box: '1,2,3,4' })));
  assert.equal(deviceParameters(question({ interval: 'day' })).toString(), '');
});

test('the map passes its filters and its visible area', () => {
  const address = statisticsAddress({ filters: { status: ['disputed'] }, words: 'gate', spot: null }, { bbox: '-17,32,-16,33' });
  assert.equal(address, '/statistics?bbox=-17,32,-16,33&status=disputed&q=gate');
});

/** @param {Record<string, any>} given @returns {any} */
const answer = (given) => ({ total: 10, groups: [], rest: null, ...given });

test('keeps the order of groups, with unknown values last', () => {
  const rows = groupRows(
    answer({ groups: [{ zone: null, count: 5 }, { zone: 'park', count: 3 }], rest: { groups: 4, count: 2 } }), 'zone',
  );
  assert.deepEqual(rows, [
    { key: 'park', count: 3, share: 0.3 }, { key: '', count: 2, share: 0.2, others: 4 },
    { key: null, count: 5, share: 0.5 },
  ]);
  assert.equal(groupRows(answer({ total: 0, groups: [{ zone: 'park', count: 0 }] }), 'zone')[0].share, null);
});

test('a chart shows the largest groups and the sum of the others', () => {
  const rows = groupRows(
    answer(
      {
        groups: [4, 3, 2,
          1].map((count) => ({ zone: `z${count}`, count })).concat([{ zone: /** @type {any} */ (null), count: 0 }]),
      },
    ), 'zone',
  );
  const shown = largest(rows, 2, false);
  assert.deepEqual(shown.map(({ key, count, others }) => [key, count, others]),
    [['z4', 4, undefined], ['z3', 3, undefined], ['', 3, 2], [null, 0, undefined]]);
  assert.equal(shown.reduce((sum, { count }) => sum + count, 0), 10);
});

test('shows one group more than the limit instead of a sum of one', () => {
  const rows = groupRows(answer({ groups: [3, 2, 1].map((count) => ({ zone: `z${count}`, count })) }), 'zone');
  assert.deepEqual(largest(rows, 2, false), rows);
});

test('never sums overlapping groups', () => {
  const rows = groupRows(answer({ groups: [4, 3, 2, 1].map((count) => ({ choices: `c${count}`, count })) }), 'choices');
  assert.deepEqual(largest(rows, 1, true), rows);
});

test('a cross-tabulation keeps every device: the largest groups, the others, unknown values', () => {
  const groups = [
    { a: 'x', b: 'one', count: 5 }, { a: 'x', b: null, count: 1 }, { a: 'y', b: 'two', count: 3 },
    { a: 'z', b: 'three', count: 2 },
    { a: 'w', b: 'four', count: 1 }, { a: null, b: 'one', count: 7 },
  ];
  const { rows, columns, cells } = crossing(groups, ['a', 'b'], 2, 1);
  assert.deepEqual(rows, [{ key: 'x' }, { key: 'y' }, { key: '', others: 2 }, { key: null }]);
  assert.deepEqual(columns, [{ key: 'one' }, { key: '', others: 3 }, { key: null }]);
  assert.deepEqual(cells, [[5, 0, 1], [0, 3, 0], [0, 3, 0], [7, 0, 0]]);
  assert.equal(cells.flat().reduce((sum, count) => sum + count), 19);
});

test('a cross-tabulation of no groups is empty', () => {
  assert.deepEqual(crossing([], ['a', 'b'], 2, 2), { rows: [], columns: [], cells: [] });
});

test('names an interval by the significant part of its first day', () => {
  assert.deepEqual(INTERVALS.map((interval) => intervalKey('2026-03-02', interval)),
    ['2026-03-02', '2026-03-02', '2026-03', '2026']);
});

test('a box is four numbers or null', () => {
  assert.deepEqual(readBox('-1,2,3.5,4'), [-1, 2, 3.5, 4]);
  for (const wrong of [null, '', '1,2,3', '1,2,3,x']) assert.equal(readBox(wrong), null);
});

test('a share is never rounded to 0% or 100% unless it is exact', () => {
  assert.deepEqual([null, 0, 0.00001, 0.004, 0.25, 0.996, 0.99999, 1].map((share) => formatShare(share, 'en')),
    ['–', '0%', '<0.1%', '0.4%', '25%', '99.6%', '>99.9%', '100%']);
});

test('a measure has three significant digits', () => {
  assert.deepEqual([0.0051948, 1.5, 577.46, 92_134.6].map((number) => formatMeasure(number, 'en')),
    ['0.00519', '1.5', '577', '92,135']);
});

for (const [language, catalogue] of Object.entries(catalogues)) {
  test(`every property, interval and measure has a text in ${language}`, () => {
    for (const property of PROPERTIES) assert.ok(catalogue[`statistics.by.${property}`], property);
    for (const interval of INTERVALS) assert.ok(catalogue[`statistics.interval.${interval}`], interval);
    for (const measure of MEASURES) assert.ok(catalogue[`statistics.measure.${measure}`], measure);
  });
}
