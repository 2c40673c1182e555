import assert from 'node:assert/strict';
import { test } from 'node:test';

import { exportAddress } from '../../public/js/data/formats.js';
import { deviceCounter } from '../../public/js/data/progress.js';

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/**
 * Counts the devices of a text that arrives in chunks of this size.
 * @param {string} format @param {string} text @param {number} size @param {number} total
 */
function counted(format, text, size, total = 3) {
  const count = deviceCounter(format, total);
  assert.ok(count);
  const all = bytes(text);
  let last = 0;
  for (let start = 0; start < all.length; start += size) last = count(all.subarray(start, start + size));
  return last;
}

const FILES = {
  csv: 'id,name\r\n1,a\r\n2,"b\n c"\r\n3,c\r\n',
  geojson: '{"features":[\n{},\n{},\n{}\n]}\n',
  geojsonl: '{}\n{}\n{}\n',
  geojsons: '\x1e{}\n\x1e{}\n\x1e{}\n',
  osm: '<osm>\n<node>\n<tag/>\n</node>\n<node>\n</node>\n<way>\n</way>\n</osm>\n',
  'osm.json': '{"elements":[\n{},\n{},\n{}\n]}\n',
};

for (const [format, text] of Object.entries(FILES)) {
  test(`counts the devices of a ${format} file regardless of the chunks`, () => {
    for (const size of [1, 2, 3, 7, 1_000]) assert.equal(counted(format, text, size), 3);
  });
}

test('the count is at least zero and at most the total', () => {
  assert.equal(counted('geojsonl', '\n\n\n\n\n', 2, 2), 2);
  assert.equal(deviceCounter('csv', 5)?.(bytes('id,')), 0);
});

test('a database file has no count', () => {
  assert.equal(deviceCounter('gpkg', 5), null);
});

test('the address of a file contains the filters and the visible area', () => {
  assert.equal(exportAddress('csv', new URLSearchParams(), null), '/api/exports/devices.csv');
  assert.equal(exportAddress('csv_excel', new URLSearchParams(), '1,2,3,4'),
    '/api/exports/devices.csv?bbox=1%2C2%2C3%2C4&bom=true');
  assert.equal(
    exportAddress('osm.json', new URLSearchParams({ category: 'alpr' }), '1,2,3,4'),
    '/api/exports/devices.osm.json?category=alpr&bbox=1%2C2%2C3%2C4');
});
