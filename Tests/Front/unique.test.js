// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newID } from '../../public/js/unique.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('identifiers are random UUIDs, also without a secure context', () => {
  const own = crypto.randomUUID;
  try {
    for (const randomUUID of [own, undefined]) {
      Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true, writable: true });
      const made = Array.from({ length: 100 }, newID);
      assert.equal(new Set(made).size, 100);
      for (const id of made) assert.match(id, UUID);
    }
  } finally {
    Object.defineProperty(crypto, 'randomUUID', { value: own, configurable: true, writable: true });
  }
});
