// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, newEdit, patchOf, vouchedFor } from '../../public/js/edit/edit.js';
import { compare, isClear, rebased, together } from '../../public/js/edit/merge.js';

const base = {
  id: 'x', geometry: { type: 'Point', coordinates: [-16.9, 32.65] },
  properties: {
    name: 'Camera', category: 'camera_fixed', precision: 'exact', data_collected: ['video', 'speech'], signage: 'yes',
    operator: { kind: 'public', name: 'Town' }, assumed: ['signage'],
  },
};
const begun = () => newEdit(base, '"1"', 'me');
const theirs = (/** @type {any} */ properties, /** @type {any} */ geometry = base.geometry) => (
  { ...base, geometry, properties: { ...base.properties, ...properties } });
const fields = (/** @type {import('../../public/js/edit/merge.js').Difference[]} */ list) =>
  list.map((one) => one.field);

test('merges changes of different fields', () => {
  const edit = answered(begun(), 'name', 'Gate', 1);
  const current = theirs({ description: 'Looks at the gate' });
  const merge = compare(edit, current);
  assert.deepEqual([fields(merge.mine), fields(merge.theirs), fields(merge.agreed), fields(merge.conflicts)],
    [['name'], ['description'], [], []]);
  assert.ok(isClear(merge));
  const next = rebased(edit, current, '"2"', merge, {}, 9);
  assert.equal(next.etag, '"2"');
  assert.deepEqual(patchOf(next).properties, { name: 'Gate' });
});

test('a field changed on both sides is a conflict', () => {
  const edit = answered(begun(), 'name', 'Gate', 1);
  const current = theirs({ name: 'Door' });
  const merge = compare(edit, current);
  assert.deepEqual(merge.conflicts,
    [{ field: 'name', before: 'Camera', mine: 'Gate', theirs: 'Door', canBoth: false }]);
  assert.ok(!isClear(merge));
  assert.deepEqual(rebased(edit, current, '"2"', merge, { name: 'mine' }, 9).changes, { name: 'Gate' });
  assert.deepEqual(rebased(edit, current, '"2"', merge, { name: 'theirs' }, 9).changes, {});
});

test('the same change on both sides is not a conflict, and leaves no change', () => {
  const edit = answered(begun(), 'name', 'Gate', 1);
  const current = theirs({ name: 'Gate' });
  const merge = compare(edit, current);
  assert.deepEqual(fields(merge.agreed), ['name']);
  assert.deepEqual(rebased(edit, current, '"2"', merge, {}, 9).changes, {});
});

test('offers the union of changes to the same set', () => {
  const edit = answered(begun(), 'data_collected', ['video', 'plate'], 1);
  const current = theirs({ data_collected: ['video', 'speech', 'radio_id'] });
  const merge = compare(edit, current);
  assert.ok(merge.conflicts[0].canBoth);
  assert.deepEqual(together(merge.conflicts[0]), ['video', 'radio_id', 'plate']);
  assert.deepEqual(rebased(edit, current, '"2"', merge, { data_collected: 'both' }, 9).changes,
    { data_collected: ['video', 'radio_id', 'plate'] });
});

test('offers no union if one side sets the value to unknown', () => {
  const edit = answered(begun(), 'data_collected', null, 1);
  assert.equal(compare(edit, theirs({ data_collected: ['video'] })).conflicts[0].canBoth, false);
});

test('merges changes of different parts of an operator', () => {
  const edit = answered(begun(), 'operator', { kind: 'public', name: 'Town', contact: 'a@example.org' }, 1);
  const current = theirs({ operator: { kind: 'public', name: 'City' } });
  const merge = compare(edit, current);
  assert.deepEqual([fields(merge.mine), fields(merge.theirs)], [['operator.contact'], ['operator.name']]);
  assert.deepEqual(patchOf(rebased(edit, current, '"2"', merge, {}, 9)).properties,
    { operator: { contact: 'a@example.org' } });
});

test('a household and a named operator cannot be merged', () => {
  const edit = answered(begun(), 'operator', { kind: 'household' }, 1);
  const current = theirs({ operator: { kind: 'public', name: 'Town', contact: 'b@example.org' } });
  const merge = compare(edit, current);
  assert.deepEqual(fields(merge.conflicts), ['operator']);
  assert.deepEqual(patchOf(rebased(edit, current, '"2"', merge, { operator: 'mine' }, 9)).properties.operator,
    { kind: 'household', name: null, contact: null });
  assert.deepEqual(rebased(edit, current, '"2"', merge, { operator: 'theirs' }, 9).changes, {});
});

test('a place moved on both sides is a conflict', () => {
  const edit = answered(begun(), 'place', [-16.8, 32.6], 1);
  const current = theirs({}, { type: 'Point', coordinates: [-16.91, 32.66] });
  const merge = compare(edit, current);
  assert.deepEqual(fields(merge.conflicts), ['place']);
  assert.deepEqual(rebased(edit, current, '"2"', merge, { place: 'mine' }, 9).changes.place, [-16.8, 32.6]);
});

test('keeps the user’s confirmations and comment, except confirmations of fields that the other side answered', () => {
  const edit = { ...vouchedFor(begun(), 'signage', true, 1), comment: 'I was there' };
  const current = theirs({ assumed: [], name: 'Door' });
  const next = rebased(edit, current, '"2"', compare(edit, current), {}, 9);
  assert.equal(next.comment, 'I was there');
  assert.deepEqual(patchOf(next).properties, {});
});
