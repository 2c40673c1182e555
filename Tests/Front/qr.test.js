// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qrPath } from '../../public/js/account/qr.js';

test('merges adjacent modules of a row, inside a quiet zone of four modules', () => {
  assert.equal(qrPath(['110', '001']), 'M4 4h2v1h-2zM6 5h1v1h-1z');
});

test('draws nothing for light rows', () => {
  assert.equal(qrPath(['000', '000']), '');
});
