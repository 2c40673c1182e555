// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  askedVersions, changedFields, compareVersions, differences, movement,
} from '../../public/js/history/compare.js';

const version = (/** @type {any} */ properties, coordinates = [-16.9, 32.65]) => (
  {
    id: 'x', geometry: { type: 'Point', coordinates },
    properties: { name: 'Camera', category: 'camera_fixed', precision: 'exact', status: 'reported', ...properties },
  });

test('equal versions do not differ', () => {
  assert.deepEqual(differences(compareVersions(version({ purposes: [] }), version({ purposes: null }))), []);
});

test('contains every field once, in the sections of the page', () => {
  const groups = compareVersions(version({}), version({}));
  const fields = groups.flatMap(({ rows }) => rows.map(({ field }) => field));
  assert.equal(new Set(fields).size, fields.length);
  assert.deepEqual(groups.map(({ id }) => id), ['thing', 'what', 'why', 'who', 'can', 'where', 'record']);
  assert.ok(fields.includes('operator.contact') && fields.includes('status') && fields.includes('place'));
});

test('keeps only the differences, with the values before and after', () => {
  const groups = differences(compareVersions(version({ model: 'A' }),
    version({ model: 'B', status: 'removed', operator: { name: 'Town', kind: 'public' } })));
  assert.deepEqual(groups, [
    { id: 'thing', rows: [{ field: 'model', before: 'A', after: 'B', differs: true }] },
    {
      id: 'who',
      rows: [
        { field: 'operator.kind', before: null, after: 'public', differs: true },
        { field: 'operator.name', before: null, after: 'Town', differs: true },
      ],
    },
    { id: 'record', rows: [{ field: 'status', before: 'reported', after: 'removed', differs: true }] },
  ]);
});

test('only a moved device has two places', () => {
  assert.deepEqual(movement(compareVersions(version({}), version({}, [-16.8, 32.6]))),
    { before: [-16.9, 32.65], after: [-16.8, 32.6] });
  assert.equal(movement(compareVersions(version({}), version({ name: 'B' }))), null);
});

test('an address names two versions, the older first, or none', () => {
  assert.deepEqual(askedVersions('?from=5&to=2'), { from: 2, to: 5 });
  for (const wrong of [
    '', '?from=1', '?from=2&to=2', '?from=0&to=1', '?from=-1&to=2', '?from=1e3&to=2', '?from=a&to=b',
    '?from=9999999999&to=1',
  ]) {
    assert.equal(askedVersions(wrong), null, wrong);
  }
});

test('reads the names of changed fields from any input', () => {
  assert.deepEqual(changedFields(['name', 'geometry', 'longitude', 'name', 7]), ['name', 'place']);
  assert.deepEqual(changedFields(null), []);
});
