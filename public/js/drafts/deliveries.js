// @ts-check
// The outbox of this page. It runs whenever there may be something to send.

import { connection } from '../api.js';
import { onSession, refreshSession, session, whenSession } from '../session.js';
import { newID } from '../unique.js';
import { draftStore } from './draft-store.js';
import { Outbox } from './outbox.js';
import { sendDevice, sendPhoto } from './sending.js';

/** @type {Promise<Outbox> | undefined} */
let made;

/** The outbox of this page, with its event listeners. */
function outbox() {
  made ??= make();
  return made;
}

async function make() {
  const store = await draftStore();
  const box = new Outbox({
    store, sendDevice, sendPhoto,
    sender: async () => (session() ?? await whenSession())?.account ?? null,
    doubt: async () => { await refreshSession().catch(() => undefined); },
    now: () => Date.now(),
    newKey: () => newID(),
    after: (act, milliseconds) => setTimeout(act, milliseconds),
    stop: (timer) => clearTimeout(timer),
  });
  connection.onRecovery(() => box.wake());
  addEventListener('online', () => box.wake());
  onSession((now) => { if (now?.account.confirmed) box.run(); });
  document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'visible') box.run(); });
  store.onNews((news) => { if (news.type === 'changed') box.run(); });
  return box;
}

/** Sends every draft that can be sent now. */
export async function deliver() {
  await (await outbox()).run();
}

/** Sends every draft that can be sent, without waiting for retry delays. */
export async function wake() {
  await (await outbox()).wake();
}
