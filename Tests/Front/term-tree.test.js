// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { branches, inOrder, isOpen, withBranch, withLeaf } from '../../public/js/fields/term-tree.js';

const terms = [
  { code: 'visual', label: 'Pictures', parent: null }, { code: 'still_image', label: 'Stills', parent: 'visual' },
  { code: 'video', label: 'Video', parent: 'visual' }, { code: 'usage', label: 'Usage', parent: null },
];
const tree = branches(terms);
const [visual, usage] = tree;

test('builds branches in the order of the terms', () => {
  assert.deepEqual(tree.map(({ term, leaves }) => [term.code, leaves.map((leaf) => leaf.code)]),
    [['visual', ['still_image', 'video']], ['usage', []]]);
});

test('selecting a branch selects it alone, and deselecting it deselects its leaves', () => {
  assert.deepEqual(withBranch(visual, ['usage']), ['usage', 'visual']);
  assert.deepEqual(withBranch(visual, ['usage', 'video']), ['usage']);
  assert.deepEqual(withBranch(usage, []), ['usage']);
});

test('a leaf replaces its branch', () => {
  assert.deepEqual(withLeaf(visual, 'video', ['visual']), ['video']);
  assert.deepEqual(withLeaf(visual, 'still_image', ['video']), ['video', 'still_image']);
  assert.ok(isOpen(visual, ['video']));
});

test('removing the last leaf keeps its branch, because the branch may contain other data', () => {
  assert.deepEqual(withLeaf(visual, 'video', ['video', 'still_image']), ['still_image']);
  assert.deepEqual(withLeaf(visual, 'video', ['video']), ['visual']);
});

test('codes are in the order of the tree, each once, unknown codes last', () => {
  assert.deepEqual(inOrder(tree, ['new_code', 'usage', 'video', 'video']), ['video', 'usage', 'new_code']);
});
