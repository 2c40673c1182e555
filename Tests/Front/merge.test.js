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
const fields = (/** @type {import('../../public/js/edit/merge.js').Difference[]} */ list) => list.map((one) => one.field);

test('changes of different fields do not touch each other', () => {
  const edit = answered(begun(), 'name', 'Gate', 1);
  const current = theirs({ description: 'Looks at the gate' });
  const merge = compare(edit, current);
  assert.deepEqual([fields(merge.mine), fields(merge.theirs), fields(merge.agreed), fields(merge.conflicts)], [['name'], ['description'], [], []]);
  assert.ok(isClear(merge));
  const next = rebased(edit, current, '"2"', merge, {}, 9);
  assert.equal(next.etag, '"2"');
  assert.deepEqual(patchOf(next).properties, { name: 'Gate' });
});

test('one field changed by both is for me to decide', () => {
  const edit = answered(begun(), 'name', 'Gate', 1);
  const current = theirs({ name: 'Door' });
  const merge = compare(edit, current);
  assert.deepEqual(merge.conflicts, [{ field: 'name', before: 'Camera', mine: 'Gate', theirs: 'Door', canBoth: false }]);
  assert.ok(!isClear(merge));
  assert.deepEqual(rebased(edit, current, '"2"', merge, { name: 'mine' }, 9).changes, { name: 'Gate' });
  assert.deepEqual(rebased(edit, current, '"2"', merge, { name: 'theirs' }, 9).changes, {});
});

test('both saying the same is no conflict, and nothing is left to change', () => {
  const edit = answered(begun(), 'name', 'Gate', 1);
  const current = theirs({ name: 'Gate' });
  const merge = compare(edit, current);
  assert.deepEqual(fields(merge.agreed), ['name']);
  assert.deepEqual(rebased(edit, current, '"2"', merge, {}, 9).changes, {});
});

test('what both put into a set or took out of it can stand together', () => {
  const edit = answered(begun(), 'data_collected', ['video', 'plate'], 1);
  const current = theirs({ data_collected: ['video', 'speech', 'radio_id'] });
  const merge = compare(edit, current);
  assert.ok(merge.conflicts[0].canBoth);
  assert.deepEqual(together(merge.conflicts[0]), ['video', 'radio_id', 'plate']);
  assert.deepEqual(rebased(edit, current, '"2"', merge, { data_collected: 'both' }, 9).changes, { data_collected: ['video', 'radio_id', 'plate'] });
});

test('who makes a set unknown cannot have both', () => {
  const edit = answered(begun(), 'data_collected', null, 1);
  assert.equal(compare(edit, theirs({ data_collected: ['video'] })).conflicts[0].canBoth, false);
});

test('two parts of an operator do not touch each other', () => {
  const edit = answered(begun(), 'operator', { kind: 'public', name: 'Town', contact: 'a@example.org' }, 1);
  const current = theirs({ operator: { kind: 'public', name: 'City' } });
  const merge = compare(edit, current);
  assert.deepEqual([fields(merge.mine), fields(merge.theirs)], [['operator.contact'], ['operator.name']]);
  assert.deepEqual(patchOf(rebased(edit, current, '"2"', merge, {}, 9)).properties, { operator: { contact: 'a@example.org' } });
});

test('a household and a named operator cannot be mixed', () => {
  const edit = answered(begun(), 'operator', { kind: 'household' }, 1);
  const current = theirs({ operator: { kind: 'public', name: 'Town', contact: 'b@example.org' } });
  const merge = compare(edit, current);
  assert.deepEqual(fields(merge.conflicts), ['operator']);
  assert.deepEqual(patchOf(rebased(edit, current, '"2"', merge, { operator: 'mine' }, 9)).properties.operator, { kind: 'household', name: null, contact: null });
  assert.deepEqual(rebased(edit, current, '"2"', merge, { operator: 'theirs' }, 9).changes, {});
});

test('a place moved by both is for me to decide', () => {
  const edit = answered(begun(), 'place', [-16.8, 32.6], 1);
  const current = theirs({}, { type: 'Point', coordinates: [-16.91, 32.66] });
  const merge = compare(edit, current);
  assert.deepEqual(fields(merge.conflicts), ['place']);
  assert.deepEqual(rebased(edit, current, '"2"', merge, { place: 'mine' }, 9).changes.place, [-16.8, 32.6]);
});

test('what I vouched for and wrote goes along, what they settled is not vouched for again', () => {
  const edit = { ...vouchedFor(begun(), 'signage', true, 1), comment: 'I was there' };
  const current = theirs({ assumed: [], name: 'Door' });
  const next = rebased(edit, current, '"2"', compare(edit, current), {}, 9);
  assert.equal(next.comment, 'I was there');
  assert.deepEqual(patchOf(next).properties, {});
});
