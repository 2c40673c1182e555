// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moved, readPhotos } from '../../public/js/photos/photos.js';

test('reads a malformed photo without an error, and skips one without an id', () => {
  assert.deepEqual(readPhotos([null, { alt: 'x' }, 7]), []);
  assert.deepEqual(readPhotos('photos'), []);
  assert.deepEqual(readPhotos([{ id: 'a' }]), [
    {
      id: 'a', alt: '', width: 4, height: 3, url: '/api/photos/a?size=large', thumb: '/api/photos/a?size=thumb',
      waiting: false, hidden: false, editable: false,
    },
  ]);
});

test('images come from this server only', () => {
  for (const foreign of [
    'https://example.org/a.jpg', '//example.org/a.jpg', 'javascript:alert(1)',
    'data:image/png;base64,x',
  ]) {
    assert.equal(readPhotos([{ id: 'a', url: foreign, thumb: foreign }])[0].url, '/api/photos/a?size=large', foreign);
  }
  assert.equal(readPhotos([{ id: 'a', url: '/media/a.webp' }])[0].url, '/media/a.webp');
});

test('moves an entry to any index of its list, and to none outside', () => {
  const list = ['a', 'b', 'c'];
  assert.deepEqual(moved(list, 0, 2), ['b', 'c', 'a']);
  assert.deepEqual(moved(list, 2, 0), ['c', 'a', 'b']);
  for (const [from, to] of [[0, 3], [-1, 1], [0, -1], [3, 0], [1, 1]]) assert.equal(moved(list, from, to), list);
  assert.deepEqual(list, ['a', 'b', 'c']);
});
