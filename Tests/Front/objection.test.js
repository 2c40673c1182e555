// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';

// api.js listens for the network.
Object.assign(globalThis, { addEventListener() {}, document: { addEventListener() {} } });
const { objectionLetter, readersOf } = await import('../../public/js/choices/objection.js');

test('an objection reaches the inbox, the link of the letter, or the person alone', () => {
  assert.equal(readersOf({ channel: 'farol', reply_link: true }), 'farol');
  assert.equal(readersOf({ channel: 'farol', reply_link: false }), 'farol');
  assert.equal(readersOf({ channel: 'email', reply_link: true }), 'link');
  assert.equal(readersOf({ channel: 'post', reply_link: false }), 'none');
  assert.equal(readersOf({ channel: 'email' }), 'none', 'a ledger in the browser has no link');
});

test('the objection is an answer to the letter, in the words of the person', () => {
  assert.deepEqual(objectionLetter('Nada chegou.', 'Pedido de acesso', 'Responda: https://farol.example/reply#token=x'), {
    subject: 'Re: Pedido de acesso', body: 'Nada chegou.\n\nResponda: https://farol.example/reply#token=x\n',
  });
  assert.equal(objectionLetter('Nada chegou.', 'Pedido', '').body, 'Nada chegou.\n');
});
