// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTarget } from '../../public/js/report/target.js';

const ID = '01900000-0000-7000-8000-000000000001';
const OTHER = '01900000-0000-7000-8000-000000000002';

test('a photo takes precedence over its device, and a device over a person', () => {
  assert.deepEqual(parseTarget(`?device=${ID}`), { type: 'device', id: ID, device: ID });
  assert.deepEqual(parseTarget(`?device=${ID}&photo=${OTHER}`), { type: 'photo', id: OTHER, device: ID });
  assert.deepEqual(parseTarget(`?person=${ID}`), { type: 'account', id: ID, device: null });
  assert.deepEqual(parseTarget('?person=maria'), { type: 'account', id: 'maria', device: null });
});

test('ignores invalid ids', () => {
  for (const wrong of [
    '', '?device=', '?device=1', '?device=../../x', `?device=${ID}0`, '?person=a/b', '?person=',
    `?photo=${ID.replace('1', 'G')}`,
  ]) {
    assert.equal(parseTarget(wrong), null, wrong);
  }
});
