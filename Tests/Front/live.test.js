import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatheredChanges, isWithin, widened } from '../../public/js/live/changes.js';

test('new devices are counted once, also when they change meanwhile', () => {
  const gathered = new GatheredChanges();
  gathered.take('added', { id: 'a' });
  gathered.take('changed', { id: 'a' });
  gathered.take('added', { id: 'a' });
  gathered.take('changed', { id: 'b' });
  assert.deepEqual([gathered.added.size, gathered.others.size], [1, 1]);
  gathered.clear();
  assert.ok(gathered.isEmpty);
});

test('a device that came and went leaves nothing to show', () => {
  const gathered = new GatheredChanges();
  gathered.take('added', { id: 'a' });
  gathered.take('removed', { id: 'a' });
  assert.ok(gathered.isEmpty);
});

test('a device that left is a change', () => {
  const gathered = new GatheredChanges();
  gathered.take('removed', { id: 'a' });
  assert.deepEqual([gathered.added.size, gathered.others.size], [0, 1]);
});

test('a request to reload is a change of which nothing is known', () => {
  const gathered = new GatheredChanges();
  gathered.take('reload', {});
  assert.ok(!gathered.isEmpty);
  assert.deepEqual([gathered.added.size, gathered.others.size], [0, 0]);
  gathered.clear();
  assert.ok(gathered.isEmpty);
});

test('a box is widened by half on each side', () => {
  assert.deepEqual(widened([10, 20, 12, 24]), [9, 18, 13, 26]);
});

test('a widened box ends at the poles and crosses the antimeridian', () => {
  assert.deepEqual(widened([178, 60, 180, 88]), [177, 46, -179, 90]);
  assert.deepEqual(widened([-180, -88, -178, -60]), [179, -90, -177, -46]);
  assert.deepEqual(widened([179, 0, -179, 2]), [178, -1, -178, 3]);
});

test('a box of half of the world or more is widened to the whole world', () => {
  assert.deepEqual(widened([-90, -10, 90, 10]), [-180, -20, 180, 20]);
  assert.deepEqual(widened([-89, -10, 90, 10]), [-178.5, -20, 179.5, 20]);
});

test('a box is within another with its edges included, and not one step past them', () => {
  assert.ok(isWithin([10, 20, 12, 24], [10, 20, 12, 24]));
  assert.ok(!isWithin([9.9, 20, 12, 24], [10, 20, 12, 24]));
  assert.ok(!isWithin([10, 20, 12.1, 24], [10, 20, 12, 24]));
  assert.ok(!isWithin([10, 19.9, 12, 24], [10, 20, 12, 24]));
  assert.ok(!isWithin([10, 20, 12, 24.1], [10, 20, 12, 24]));
});

test('a box across the antimeridian is within another one and within the world', () => {
  assert.ok(isWithin([179, 0, -179, 1], [178, 0, -178, 1]));
  assert.ok(!isWithin([177, 0, -179, 1], [178, 0, -178, 1]));
  assert.ok(isWithin([179, 0, -179, 1], [-180, -90, 180, 90]));
});
