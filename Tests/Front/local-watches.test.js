import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf, contains, readArea, ringsOf } from '../../public/js/local-watches/area.js';
import { exported, imported, isSame } from '../../public/js/local-watches/files.js';
import { cellOf, cellsAround } from '../../public/js/local-watches/grid.js';
import { passes } from '../../public/js/local-watches/matches.js';
import { dayAfter, firstDay, readNews } from '../../public/js/local-watches/news.js';
import {
  cleanLabel, decidable, forAccount, newCount, newWatch, portable, resumed, seen, timed, withNews,
} from '../../public/js/local-watches/watch.js';

const NOW = Date.parse('2026-11-26T12:00:00.400Z');
const CONTEXT = {
  today: '2026-11-26', withDescendants: (code) => (code === 'image' ? ['image', 'face'] : [code]),
};
const circle = (longitude, latitude, radius = 500) => ({ type: 'circle', centre: [longitude, latitude], radius });
const watchOf = (area = circle(6.1432, 46.2044), filters = {}) => newWatch('w', { label: 'Home', area, filters }, NOW);

function device(id, { at = '2026-11-26T12:00:05Z', created = at, place = [6.1432, 46.2044], ...properties } = {}) {
  return {
    type: 'Feature', id, geometry: { type: 'Point', coordinates: place },
    properties: { name: id, category: 'alpr', status: 'reported', created_at: created, updated_at: at, ...properties },
  };
}

// The grid

test('the browser computes the same cells as the server', () => {
  assert.equal(cellOf([6.1432, 46.2044]), 783_732);
  assert.equal(cellOf([0, 90]), 1_035_360);
  assert.equal(cellOf([0, 87]), 1_035_360);
  assert.equal(cellOf([0, -90]), 0);
  assert.equal(cellOf([0, -87]), 12 * 1_440 + 45);
  assert.equal(cellOf([180, 10]), cellOf([-180, 10]));
  assert.notEqual(cellOf([179.9999999, 10]), cellOf([-180, 10]));
  assert.equal(cellOf([0.1, 44]), cellOf([0.4, 44]));
  assert.notEqual(cellOf([0.1, 43.9999999]), cellOf([0.4, 43.9999999]));
});

test('a small area needs nine cells, and which ones depends only on the cell of its middle', () => {
  const middle = cellsAround(circle(6.25, 46.12));
  assert.equal(middle.length, 9);
  // At an edge and at a corner of the cell, with different sizes.
  for (const area of [circle(6.0001, 46.1), circle(6.4999, 46.2499, 50), circle(6.0001, 46.0001, 5_000),
    { type: 'box', box: [6.2, 46.1, 6.21, 46.12] }]) {
    assert.deepEqual(cellsAround(area), middle);
  }
  assert.notDeepEqual(cellsAround(circle(6.5001, 46.1)), middle);
});

test('the cells cover the area, also across the antimeridian, a zone and a pole', () => {
  const areas = [circle(179.99, 10, 20_000), circle(-180, -16, 50_000), circle(10, 44, 20_000),
    circle(10, 67.99, 50_000), circle(10, 86.9, 10_000), circle(10, 89.9, 5_000), circle(0, -89, 1_000),
    { type: 'box', box: [179.9, 0, -179.9, 0.1] }];
  for (const area of areas) {
    const cells = cellsAround(area);
    const [west, south, east, north] = boundsOf(area);
    const span = east >= west ? east - west : east + 360 - west;
    for (const x of [0, 0.25, 0.5, 0.75, 1]) {
      for (const y of [0, 0.5, 1]) {
        const longitude = west + span * x;
        const place = [longitude > 180 ? longitude - 360 : longitude, south + (north - south) * y];
        assert.ok(cells.includes(cellOf(place)), `${JSON.stringify(area)} ${place}`);
      }
    }
    assert.equal(new Set(cells).size, cells.length);
  }
});

test('an area that needs too many cells is refused', () => {
  assert.ok(cellsAround({ type: 'box', box: [6, 45, 7.5, 46.4] }));
  assert.equal(cellsAround({ type: 'box', box: [-10, 36, -6, 42] }), null);
  assert.equal(cellsAround({ type: 'box', box: [-180, -90, 180, 90] }), null);
});

// Areas

test('boxes and circles contain their edges and nothing one step beyond', () => {
  const box = { type: 'box', box: [6, 46, 7, 47] };
  for (const place of [[6, 46], [7, 47], [6.5, 46.5]]) assert.ok(contains(box, place));
  for (const place of [[5.9999999, 46], [7.0000001, 46], [6, 45.9999999], [6, 47.0000001]]) {
    assert.ok(!contains(box, place));
  }
  const across = { type: 'box', box: [179, -1, -179, 1] };
  assert.ok(contains(across, [180, 0]) && contains(across, [-179.5, 0]) && contains(across, [179, 0]));
  assert.ok(!contains(across, [178.9, 0]) && !contains(across, [0, 0]));
  assert.ok(contains(circle(0, 0, 1_000), [0.00899, 0]) && !contains(circle(0, 0, 1_000), [0.009, 0]));
  assert.ok(contains(circle(179.999, 0, 1_000), [-179.999, 0]));
});

test('a polygon contains what is inside, also if it is bent or crosses the antimeridian', () => {
  const bent = { type: 'polygon', corners: [[0, 0], [4, 0], [4, 4], [2, 1], [0, 4]] };
  assert.ok(contains(bent, [1, 1]) && contains(bent, [3.9, 3]) && contains(bent, [2, 0.5]));
  assert.ok(!contains(bent, [2, 2]) && !contains(bent, [5, 1]) && !contains(bent, [-1, 1]));
  const across = { type: 'polygon', corners: [[179, 0], [-179, 0], [-179, 2], [179, 2]] };
  assert.ok(contains(across, [180, 1]) && contains(across, [-179.5, 1]) && contains(across, [179.5, 1]));
  assert.ok(!contains(across, [0, 1]) && !contains(across, [-178, 1]));
  assert.deepEqual(boundsOf(across), [179, 0, -179, 2]);
});

test('areas of a wrong shape are refused', () => {
  const good = [{ type: 'box', box: [6, 46, 7, 47] }, circle(6, 46),
    { type: 'polygon', corners: [[0, 0], [1, 0], [0, 1]] },
    { type: 'place', place: '12', name: 'Bern', box: [6, 46, 7, 47] }];
  for (const area of good) assert.deepEqual(readArea(area), area);
  const many = Array.from({ length: 201 }, (_, i) => [Math.cos(i / 32), Math.sin(i / 32)]);
  const bad = [
    null, 'box', 7, [], {}, { type: 'star' }, { type: 'box' }, { type: 'box', box: [6, 46, 7] },
    { type: 'box', box: [6, 47, 7, 46] }, { type: 'box', box: [181, 0, 1, 1] }, { type: 'box', box: ['6', 46, 7, 47] },
    { type: 'box', box: [null, 46, 7, 47] }, circle(6, 91), circle(6, 46, 49), circle(6, 46, 50_001),
    circle(6, 46, NaN), circle(6, 46, Infinity), { type: 'polygon', corners: [[0, 0], [1, 1]] },
    { type: 'polygon', corners: many },
    { type: 'polygon', corners: [[0, 0], [1, 1], [1, 0], [0, 1]] }, // crosses itself
    { type: 'polygon', corners: [[0, 80], [90, 80], [180, 80], [-90, 80]] }, // around a pole
    { type: 'polygon', corners: [[0, 0], [1, 0], 'x'] },
    { type: 'place', place: 'x', name: 'Bern', box: [6, 46, 7, 47] },
  ];
  for (const area of bad) assert.equal(readArea(area), null, JSON.stringify(area));
  assert.equal(readArea({ type: 'polygon', corners: many.slice(0, 200) })?.type, 'polygon');
});

// Filters

test('filters are decided as for lists', () => {
  const properties = {
    category: 'alpr', data_collected: ['face'], operator: { name: 'City', kind: 'public' }, setting: 'public',
    country: 'CH', choices: [{ kind: 'access' }], status: 'reported', stale_on: '2027-01-25', zone: null,
    precision: 'exact',
  };
  const on = (filters) => passes(properties, filters, CONTEXT);
  for (const filters of [{}, { category: [] }, { category: ['beacon', 'alpr'] }, { data_collected: ['image'] },
    { data_collected: ['face'] }, { operator: ['City'] }, { operator_kind: ['public'] },
    { choices: ['erasure', 'access'] },
    { country: ['CH'], setting: ['public'] }, { freshness: ['due'] }]) assert.ok(on(filters), JSON.stringify(filters));
  for (const filters of [{ category: ['beacon'] }, { data_collected: ['audio'] }, { operator: ['Town'] },
    { zone: ['road'] },
    { operator_kind: ['unknown'] }, { choices: ['erasure'] }, { country: ['CH'], setting: ['indoor'] },
    { freshness: ['fresh', 'stale'] }]) assert.ok(!on(filters), JSON.stringify(filters));
  assert.ok(passes({}, { operator_kind: ['unknown'] }, CONTEXT));
  assert.ok(passes({ stale_on: '2026-11-26' }, { freshness: ['stale'] }, CONTEXT));
  assert.ok(passes({ stale_on: '2026-11-27' }, { freshness: ['due'] }, CONTEXT));
  assert.ok(passes({ stale_on: '2027-01-26' }, { freshness: ['fresh'] }, CONTEXT));
  assert.deepEqual(decidable({ category: ['alpr'], q: ['x'], setting: [] }), { category: ['alpr'] });
});

// News

test('new, changed, disputed and removed devices in the area are told apart', () => {
  const watch = withNews(watchOf(), [
    device('new'), device('changed', { created: '2020-01-01T00:00:00Z' }),
    device('disputed', { created: '2020-01-01T00:00:00Z', status: 'disputed' }), device('gone', { status: 'removed' }),
    device('elsewhere', { place: [6.2, 46.3] }), device('known', { at: '2026-11-26T11:59:59Z' }),
  ], CONTEXT);
  assert.deepEqual(Object.fromEntries(watch.items.map(({ id, kind }) => [id, kind])),
    { new: 'added', changed: 'changed', disputed: 'disputed', gone: 'removed' });
  assert.equal(newCount(watch), 4);
});

test('the same device is not new twice, and again when it changes', () => {
  const first = withNews(watchOf(), [device('a')], CONTEXT);
  assert.equal(withNews(first, [device('a')], CONTEXT), first);
  const read = seen(first, NOW + 10_000);
  assert.equal(newCount(read), 0);
  assert.equal(withNews(read, [device('a')], CONTEXT), read);
  const again = withNews(read, [device('a', { at: '2026-11-26T12:01:00Z', created: '2026-11-26T12:00:05Z' })], CONTEXT);
  assert.deepEqual(again.items.map(({ kind, isSeen }) => [kind, isSeen]), [['changed', false]]);
});

test('a change in the second in which the watch began counts', () => {
  assert.equal(newCount(withNews(watchOf(), [device('a', { at: '2026-11-26T12:00:00Z' })], CONTEXT)), 1);
});

test('what exceeds the maximum is counted and does not come back', () => {
  const many = Array.from({ length: 510 }, (_, i) => (
    device(`d${i}`, { at: new Date(NOW + 1_000 * (i + 1)).toISOString().replace(/\.\d+/, '') })));
  const full = withNews(watchOf(), many, CONTEXT);
  assert.deepEqual([full.items.length, newCount(full)], [500, 510]);
  assert.equal(withNews(full, many, CONTEXT), full);
});

test('what happened during a pause is not told', () => {
  const paused = { ...watchOf(), isPaused: true, readTo: '2026-11-20' };
  const again = resumed(paused, NOW + 60_000);
  assert.deepEqual([again.isPaused, again.readTo], [false, null]);
  assert.equal(newCount(withNews(again, [device('a')], CONTEXT)), 0);
});

test('a wrong clock is corrected once, a right one is left alone', () => {
  const late = timed(watchOf(), -3_600_000);
  assert.deepEqual([late.since, late.seenAt], [NOW - 3_600_000, NOW - 3_600_000]);
  assert.equal(timed(late, -3_600_000), late);
  assert.equal(timed(watchOf(), 90_000).since, NOW);
});

// Reading

const page = (day, complete, features = [], next = '') => ({
  day, complete, features, links: next ? [{ rel: 'next', href: next }] : [],
});

test('days since the last reading are read, each once for all watches, without anything about the area', async () => {
  const asked = [];
  const ask = async (path) => {
    asked.push(path);
    const day = new URL(path, 'http://x').searchParams.get('day');
    return day ? page(day, day < '2026-11-25', [device(`${day}`)]) : page('2026-11-26', false, []);
  };
  const watch = { ...watchOf(), since: Date.parse('2026-11-23T08:00:00Z') };
  const other = { ...watch, id: 'other', area: circle(6.2, 46.1, 100) };
  const read = await readNews([watch, other, { ...watch, id: 'paused', isPaused: true }], ask, (all) => all);
  assert.equal(asked.length, 9 * 4);
  assert.equal(new Set(asked).size, asked.length);
  for (const path of asked) assert.match(path, /^\/api\/cells\/\d+\/changes(\?day=2026-11-2[345])?$/);
  assert.deepEqual([...read.keys()], ['w', 'other']);
  assert.equal(read.get('w').readTo, '2026-11-24');
  assert.equal(read.get('w').features.length, 27);
  assert.equal(read.get('w').hasGap, false);
});

test('further pages of a day are read', async () => {
  const next = 'https://farol.example/api/cells/1/changes?day=2026-11-26&cursor=x';
  const ask = async (path) => (path.includes('cursor') ? page('2026-11-26', false, [device('second')])
    : page('2026-11-26', false, [device('first')], next));
  const read = await readNews([watchOf()], ask, (all) => all);
  assert.equal(read.get('w').features.length, 18);
  assert.equal(read.get('w').readTo, null);
});

test('after more than a month there is a gap', () => {
  const watch = watchOf();
  const on = (readTo) => firstDay({ ...watch, readTo }, '2026-11-26');
  assert.deepEqual(on('2026-10-26'), { first: '2026-10-27', hasGap: false });
  assert.deepEqual(on('2026-10-25'), { first: '2026-10-27', hasGap: true });
  assert.deepEqual(on(null), { first: '2026-11-26', hasGap: false });
  // The clock of this computer is ahead.
  assert.equal(firstDay({ ...watch, since: NOW + 864e5 }, '2026-11-26').first, '2026-11-26');
  assert.equal(dayAfter('2026-02-28'), '2026-03-01');
});

// Files

test('a file brings back what was saved', () => {
  const watch = watchOf(circle(6.1, 46.2), { category: ['alpr'], operator: ['Acme, Ltd'], country: ['CH'] });
  const found = imported(exported([{ ...watch, items: [{ secret: true }] }]));
  assert.deepEqual(found, { watches: [portable(watch)], refused: 0 });
  assert.ok(isSame(found.watches[0], watch));
  assert.ok(!isSame({ ...found.watches[0], label: 'Work' }, watch));
  assert.ok(!exported([{ ...watch, items: [{ secret: true }] }]).includes('secret'));
});

test('a watch for an account has the area as the interface expects it', () => {
  const areaOf = (area) => forAccount(watchOf(area)).area;
  assert.deepEqual(forAccount(watchOf(circle(6, 46, 500), { category: ['alpr'] })),
    { label: 'Home', area: { type: 'circle', center: [6, 46], radius: 500 }, filter: { category: 'alpr' } });
  assert.deepEqual(
    forAccount(watchOf(circle(6, 46), { category: ['alpr', 'beacon'], operator: ['Lens, Ltd', 'Eye'] })).filter,
    { category: 'alpr,beacon', operator: ['Lens, Ltd', 'Eye'] });
  assert.deepEqual(areaOf({ type: 'box', box: [6, 46, 7, 47] }), { type: 'box', bbox: [6, 46, 7, 47] });
  assert.deepEqual(areaOf({ type: 'polygon', corners: [[0, 0], [1, 0], [0, 1]] }),
    { type: 'polygon', coordinates: [[[0, 0], [1, 0], [0, 1], [0, 0]]] });
  assert.deepEqual(areaOf({ type: 'place', place: '12', name: 'Bern', box: [6, 46, 7, 47] }),
    { type: 'place', place: '12' });
});

test('files of another kind are refused', () => {
  for (const text of ['', '{', 'null', '[]', '7', '{"format":"farol-watches"}',
    '{"format":"farol-ledger","version":1,"watches":[]}',
    '{"format":"farol-watches","version":2,"watches":[]}', '{"format":"farol-watches","version":1,"watches":{}}']) {
    assert.equal(imported(text), null, text);
  }
});

test('entries of a wrong shape are left out, and so are too many', () => {
  const good = portable(watchOf());
  const bad = [null, 7, 'x', [], {}, { ...good, label: '' }, { ...good, label: '\u202e\u200b' }, { ...good, label: 7 },
    { ...good, area: null }, { ...good, area: { type: 'box', box: [-180, -90, 180, 90] } }, { ...good, filters: null },
    { ...good, filters: [] }, { ...good, filters: { category: 'alpr' } }, { ...good, filters: { category: ['<b>'] } },
    { ...good, filters: { unknown: ['x'] } }, { ...good, filters: { operator: ['\ud800'] } },
    { ...good, filters: { category: [null] } },
    { ...good, filters: { operator: ['x'.repeat(201)] } }, { ...good, filters: { operator: Array(301).fill('x') } }];
  for (const one of bad) {
    const text = JSON.stringify({ format: 'farol-watches', version: 1, watches: [one, good] });
    assert.deepEqual(imported(text), { watches: [good], refused: 1 }, JSON.stringify(one));
  }
  const many = JSON.stringify({ format: 'farol-watches', version: 1, watches: Array(25).fill(good) });
  assert.deepEqual([imported(many).watches.length, imported(many).refused], [20, 5]);
});

test('labels keep their letters and lose what hides or reorders text', () => {
  assert.equal(cleanLabel('  Rua  da\tEscola\n'), 'Rua da Escola');
  assert.equal(cleanLabel('a\u202eb\u2066c\u200bd\ufeffe\u0000f\ud800g'), 'abcde fg');
  assert.equal(cleanLabel('خانه\u200cها 🏫 👩\u200d🏫'), 'خانه\u200cها 🏫 👩\u200d🏫');
  assert.equal(cleanLabel(`e${'\u0330'.repeat(50)}`), `\u1e1b${'\u0330'.repeat(4)}`);
  assert.equal([...cleanLabel('🏫'.repeat(100))].length, 80);
  assert.equal(cleanLabel('\u202e\u2028 '), '');
});

test('a place with a border is its border with islands and holes, and without one its box', () => {
  const square = (/** @type {number} */ west, /** @type {number} */ south, /** @type {number} */ size) => (
    [[west, south], [west + size, south], [west + size, south + size], [west, south + size], [west, south]]);
  const border = ringsOf({
    type: 'MultiPolygon', coordinates: [[square(0, 0, 4), square(1, 1, 1)], [square(8, 0, 1)]],
  });
  const area = readArea({ type: 'place', place: '7', name: 'Town', box: [0, 0, 9, 4], border });
  assert.ok(area);
  assert.deepEqual([[3, 3], [8.5, 0.5], [1.5, 1.5], [6, 2], [8.5, 3]].map((one) => (
    contains(area, /** @type {[number, number]} */ (one)))), [true, true, false, false, false]);
  const whole = readArea({ type: 'place', place: '7', name: 'Town', box: [0, 0, 9, 4] });
  assert.ok(whole && contains(whole, [6, 2]));
  assert.deepEqual(readArea(JSON.parse(JSON.stringify(area))), area, 'a file keeps the border');
  const line = [[[0, 0], [1, 1]]];
  assert.equal(readArea({ type: 'place', place: '7', name: 'Town', box: [0, 0, 9, 4], border: line }), null);
  assert.equal(ringsOf(undefined), undefined);
});
