// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryDatabase, openDatabase } from '../../public/js/storage/database.js';

const VERSIONS = [{ draft: { key: 'id' } }, { photo: { key: 'id', indexes: ['draft'] } }];

/**
 * @typedef {import('../../public/js/types').Database<{
 *   draft: {id: string, count: number}, photo: {id: string, draft: string},
 * }>} Sample
 */

/** @returns {Sample} */
function sample() {
  return new MemoryDatabase(VERSIONS);
}

test('without IndexedDB a database in memory is opened', async () => {
  /** @type {Sample} */
  const database = await openDatabase('farol-drafts', VERSIONS);
  assert.equal(database.isLasting, false);
  await database.put('draft', { id: 'a', count: 1 });
  assert.deepEqual(await database.all('draft'), [{ id: 'a', count: 1 }]);
});

test('objects are put, read, replaced and deleted by their key', async () => {
  const database = sample();
  await database.put('draft', { id: 'a', count: 1 });
  await database.put('draft', { id: 'b', count: 1 });
  await database.put('draft', { id: 'a', count: 2 });
  assert.deepEqual(await database.get('draft', 'a'), { id: 'a', count: 2 });
  assert.equal((await database.all('draft')).length, 2);
  await database.delete('draft', 'a');
  assert.equal(await database.get('draft', 'a'), undefined);
  assert.equal((await database.all('draft')).length, 1);
});

test('an index finds the keys of the objects with a value', async () => {
  const database = sample();
  for (const [id, draft] of [['1', 'a'], ['2', 'b'], ['3', 'a']]) await database.put('photo', { id, draft });
  const keys = await database.write(['photo'], (transaction) => transaction.keys('photo', 'draft', 'a'));
  assert.deepEqual(keys, ['1', '3']);
});

test('a transaction that throws changes nothing, and the next one runs', async () => {
  const database = sample();
  await database.put('draft', { id: 'a', count: 1 });
  await assert.rejects(database.write(['draft', 'photo'], (transaction) => {
    transaction.clear('draft');
    transaction.put('photo', { id: '1', draft: 'a' });
    throw new Error('refused');
  }), /refused/);
  assert.deepEqual(await database.get('draft', 'a'), { id: 'a', count: 1 });
  assert.deepEqual(await database.all('photo'), []);
  await database.put('draft', { id: 'a', count: 2 });
  assert.equal((await database.get('draft', 'a'))?.count, 2);
});

test('concurrent transactions run one after the other', async () => {
  const database = sample();
  await database.put('draft', { id: 'a', count: 0 });
  const increase = () => database.write(['draft'], async (transaction) => {
    const now = await transaction.get('draft', 'a');
    transaction.put('draft', { id: 'a', count: (now?.count ?? 0) + 1 });
  });
  await Promise.all([increase(), increase(), increase()]);
  assert.equal((await database.get('draft', 'a'))?.count, 3);
});
