// The rules of a mapping file, as the page of an import shows them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { rowRulesOf, rulesOf } from '../../public/js/mapping/rules.js';

const none = { columns: [], value: null, translated: 0, isConditional: false };

test('a text alone is a column if the file has it, otherwise a fixed value', () => {
  const mapping = { fields: { category: 'camera_fixed', name: 'Title' } };
  assert.deepEqual(rulesOf(mapping, ['Title']), [
    { ...none, field: 'category', value: 'camera_fixed' }, { ...none, field: 'name', columns: ['Title'] },
  ]);
});

test('each rule of a field is a row, with its columns, template, translations and condition', () => {
  const fields = {
    name: [{ from: ['A', 'B'] }, { template: '{A} at {B}', when: { column: 'C', present: true } }],
    status: { from: 'S', values: { on: 'confirmed', off: 'removed' }, patterns: [{ prefix: 'x', value: 'removed' }] },
    data_collected: { value: ['video', 'audio'] },
  };
  assert.deepEqual(rulesOf({ fields }, []), [
    { ...none, field: 'name', columns: ['A', 'B'] },
    { ...none, field: 'name', columns: ['{A} at {B}'], isConditional: true },
    { ...none, field: 'status', columns: ['S'], translated: 3 },
    { ...none, field: 'data_collected', value: 'video, audio' },
  ]);
});

test('rules for whole rows state their reason', () => {
  const mapping = { flag: [{ because: 'Far away.' }], skip: [{ because: 'A bench.' }, { code: 'x' }] };
  assert.deepEqual(rowRulesOf(mapping), [
    { kind: 'skip', because: 'A bench.' }, { kind: 'flag', because: 'Far away.' },
  ]);
});

test('a mapping of an unexpected form has no rules', () => {
  for (const mapping of [null, {}, { fields: null }, { fields: {}, skip: null }]) {
    assert.deepEqual(rulesOf(mapping, []), []);
    assert.deepEqual(rowRulesOf(mapping), []);
  }
  assert.deepEqual(rulesOf({ fields: { height: null } }, []), [{ ...none, field: 'height', value: 'null' }]);
});
