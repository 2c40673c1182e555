// The filters, boxes and addresses of watches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asked, boxAround, readFilter, writeFilter } from '../../public/js/watches/watches.js';

test('reads the filter from the address of a map', () => {
  const query = 'category=alpr,beacon&operator=A&operator=B&bbox=1,2,3,4&device=x';
  const filter = readFilter(`https://farol.example/?${query}#map=1/2/3`);
  assert.deepEqual(filter, { category: 'alpr,beacon', operator: ['A', 'B'] });
});

test('a filter survives being written and read', () => {
  const filter = { q: 'number plate', operator: ['A, B', 'C&D'], category: 'alpr,beacon' };
  assert.deepEqual(readFilter(writeFilter(filter)), filter);
  assert.equal(writeFilter({}), '');
});

test('no filter is read from nothing', () => {
  assert.deepEqual(readFilter('  '), {});
  assert.deepEqual(readFilter('https://farol.example/'), {});
});

test('a box is around the view, and crosses the antimeridian where the view does', () => {
  const [west, south, east, north] = boxAround({ longitude: 6, latitude: 46, zoom: 10 });
  assert.ok(west < 6 && east > 6 && south < 46 && north > 46);
  assert.ok(east - west < 1);
  const [start, , end] = boxAround({ longitude: 179.9, latitude: 0, zoom: 8 });
  assert.ok(start > 170 && end < -170);
  const [left, , right] = boxAround({ longitude: 100, latitude: 0, zoom: 0 });
  assert.deepEqual([left, right], [-180, 180]);
});

test('the address asks for a device, an operator or a box', () => {
  assert.deepEqual(asked('#device=abc&label=Gate'), {
    area: { type: 'device', device: 'abc' }, label: 'Gate', filter: {},
  });
  assert.deepEqual(asked('#operator=City%20%26%20Co')?.area, { type: 'operator', operator: 'City & Co' });
  assert.deepEqual(asked('#bbox=1,2,3,4&filter=category%3Dalpr'), {
    area: { type: 'box', bbox: [1, 2, 3, 4] }, label: '', filter: { category: 'alpr' },
  });
  assert.equal(asked('#bbox=1,2,3'), null);
  assert.equal(asked(''), null);
});
