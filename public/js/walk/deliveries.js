// @ts-check
// The outbox of this page for answers of street walks. It runs whenever there may be something to send.

import { keepSending, pageWorld } from '../outbox/page.js';
import { AnswerOutbox } from './outbox.js';
import { sendFacts, sendVerdict } from './sending.js';
import { walkStore } from './store.js';

/** @type {Promise<AnswerOutbox> | undefined} */
let made;

/**
 * Runs `act` unless another tab does. Sending an answer twice is safe, so a browser without locks simply runs it.
 * @param {() => Promise<void>} act
 * @returns {Promise<boolean>} whether it ran
 */
async function alone(act) {
  if ('locks' in navigator) {
    return navigator.locks.request('farol-walk-outbox', { ifAvailable: true }, async (lock) => {
      if (lock) await act();
      return lock !== null;
    });
  }
  await act();
  return true;
}

async function make() {
  const store = await walkStore();
  const box = new AnswerOutbox({
    ...pageWorld, store, alone, send: { verdict: sendVerdict, facts: sendFacts },
  });
  keepSending(box);
  store.onChange(() => box.run());
  return box;
}

/** Sends every answer that can be sent now. */
export async function deliver() {
  made ??= make();
  await (await made).run();
}
