// The reasons that a sign-in page gives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whySignIn } from '../../public/js/page/why-sign-in.js';

const DEVICE = '/devices/01a213a9-8ee8-7a29-9015-5e79f830eba9';

test('a page that needs an account says why', () => {
  assert.equal(whySignIn(`${DEVICE}?say=present.dispute#claim-present`), 'account.why.say');
  assert.equal(whySignIn(`${DEVICE}/edit?field=name`), 'account.why.edit');
  assert.equal(whySignIn(`${DEVICE}/history`), 'account.why.edit');
  assert.equal(whySignIn(`${DEVICE}#section-photos`), 'account.why.photo');
  assert.equal(whySignIn('/?add=0190&map=1'), 'account.why.add');
  assert.equal(whySignIn('/?device=1&add=0190'), 'account.why.add');
  assert.equal(whySignIn('/watches'), 'account.why.watches');
  assert.equal(whySignIn('/lists/propose'), 'account.why.lists');
  assert.equal(whySignIn('/data-requests'), 'account.why.records');
});

test('other pages give no reason', () => {
  for (const path of [null, '/', '/choices', DEVICE, `${DEVICE}?essay=1`, '/statistics?address=1', '/?readd=1']) {
    assert.equal(whySignIn(path), null, String(path));
  }
});
