// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qrPath } from '../../public/js/account/qr.js';

test('neighbours in a row are drawn as one, inside a quiet edge of four modules', () => {
  assert.equal(qrPath(['110', '001']), 'M4 4h2v1h-2zM6 5h1v1h-1z');
});

test('light rows draw nothing', () => {
  assert.equal(qrPath(['000', '000']), '');
});
