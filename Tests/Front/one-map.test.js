// One map at a time: the one before ends, and so does one that is drawn too late.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { OneMap } from '../../public/js/map/one-map.js';

function view() {
  const made = { ended: 0, map: { remove: () => { made.ended += 1; } } };
  return made;
}

test('a new map ends the one before, once', () => {
  const one = new OneMap();
  const first = view();
  assert.equal(one.begin()(first), true);
  assert.equal(first.ended, 0);
  const keep = one.begin();
  assert.equal(first.ended, 1);
  assert.equal(keep(view()), true);
  assert.equal(first.ended, 1);
});

test('a map that is drawn after the next one was begun ends at once', () => {
  const one = new OneMap();
  const late = one.begin();
  const next = one.begin();
  const [slow, quick] = [view(), view()];
  assert.equal(next(quick), true);
  assert.equal(late(slow), false);
  assert.deepEqual([slow.ended, quick.ended], [1, 0]);
});
