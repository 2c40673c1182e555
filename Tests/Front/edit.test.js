// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flatten, same } from '../../public/js/devices/record.js';
import {
  answered, changedQuestions, isEmpty, newEdit, patchOf, putBack, vouchedFor,
} from '../../public/js/edit/edit.js';

const feature = {
  id: 'x', geometry: { type: 'Point', coordinates: [-16.9, 32.65] },
  properties: {
    name: 'Camera', category: 'camera_fixed', precision: 'exact', data_collected: ['video'], purposes: [],
    signage: 'unknown',
    operator: { kind: 'public', name: 'Town', contact: 'a@example.org' }, assumed: ['data_collected', 'signage'],
    bearings: [90, 180],
  },
};
const begun = () => newEdit(feature, '"3"', null);

test('absent, empty and unknown values are equal', () => {
  const flat = flatten({
    properties: { signage: 'unknown', purposes: [], model: '  ', units: undefined, operator: { kind: 'unknown' } },
  });
  for (const field of ['signage', 'purposes', 'model', 'units', 'operator.kind']) {
    assert.equal(flat[field], null, field);
  }
});

test('a device may have the name «unknown», and zero is a known value', () => {
  const flat = flatten({ properties: { name: 'unknown', height: 0 } });
  assert.equal(flat.name, 'unknown');
  assert.equal(flat.height, 0);
});

test('the order matters in lists but not in sets', () => {
  assert.ok(same('data_collected', ['video', 'speech'], ['speech', 'video']));
  assert.ok(!same('choices', [{ kind: 'access' }, { kind: 'erase' }], [{ kind: 'erase' }, { kind: 'access' }]));
  assert.ok(same('choices', [{ kind: 'access', target: null }], [{ kind: 'access' }]));
});

test('an answer is a change, and the earlier answer reverts it', () => {
  const edit = answered(begun(), 'name', ' Gate camera ', 5);
  assert.deepEqual(edit.changes, { name: 'Gate camera' });
  assert.equal(edit.at, 5);
  assert.ok(isEmpty(answered(edit, 'name', 'Camera', 6)));
  assert.ok(isEmpty(putBack(edit, 'name', 6)));
});

test('sends only the changed parts of an operator', () => {
  const edit = answered(begun(), 'operator', { kind: 'public', name: 'City', contact: 'a@example.org' }, 1);
  assert.deepEqual(changedQuestions(edit), ['operator']);
  assert.deepEqual(patchOf(edit), { properties: { operator: { name: 'City' } } });
});

test('a household sends null for name and contact', () => {
  const edit = answered(begun(), 'operator', { kind: 'household' }, 1);
  assert.deepEqual(patchOf(edit).properties.operator, { kind: 'household', name: null, contact: null });
});

test('removes an operator without known parts, and sets the kind «unknown» if only the kind is missing', () => {
  assert.equal(patchOf(answered(begun(), 'operator', null, 1)).properties.operator, null);
  assert.deepEqual(
    patchOf(answered(begun(), 'operator', { name: 'Town', contact: 'a@example.org' }, 1)).properties.operator,
    { kind: 'unknown' },
  );
  const without = newEdit({ ...feature, properties: { ...feature.properties, operator: null } }, '"1"', null);
  assert.deepEqual(patchOf(answered(without, 'operator', { name: 'Town' }, 1)).properties.operator,
    { name: 'Town', kind: 'unknown' });
});

test('sends a moved place as a geometry, and an unmoved one not at all', () => {
  assert.equal(patchOf(answered(begun(), 'place', [-16.9, 32.65], 1)).geometry, undefined);
  assert.deepEqual(patchOf(answered(begun(), 'place', [-16.8, 32.65], 1)).geometry,
    { type: 'Point', coordinates: [-16.8, 32.65] });
});

test('sends null for a value that becomes unknown', () => {
  assert.deepEqual(patchOf(answered(begun(), 'bearings', null, 1)).properties, { bearings: null });
});

test('a changed or confirmed value is no longer assumed', () => {
  assert.deepEqual(patchOf(answered(begun(), 'data_collected', ['speech'], 1)).properties,
    { data_collected: ['speech'], assumed: ['signage'] });
  assert.deepEqual(patchOf(vouchedFor(begun(), 'signage', true, 1)).properties, { assumed: ['data_collected'] });
  assert.ok(isEmpty(vouchedFor(vouchedFor(begun(), 'signage', true, 1), 'signage', false, 2)));
});

test('sends the comment unless it is empty', () => {
  assert.equal(patchOf({ ...answered(begun(), 'name', 'A', 1), comment: ' seen today ' }).comment, 'seen today');
  assert.ok(!('comment' in patchOf(answered(begun(), 'name', 'A', 1))));
});
