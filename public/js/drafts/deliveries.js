// @ts-check
// The outbox of this page. It runs whenever there may be something to send.

import { keepSending, pageWorld } from '../outbox/page.js';
import { newID } from '../unique.js';
import { draftStore } from './draft-store.js';
import { Outbox } from './outbox.js';
import { photoSent } from './photo-news.js';
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
  const box = new Outbox({ ...pageWorld, store, sendDevice, sendPhoto: sendAndSay, newKey: () => newID() });
  keepSending(box);
  store.onNews((news) => { if (news.type === 'changed') box.run(); });
  return box;
}

/** @type {typeof sendPhoto} */
async function sendAndSay(draft, photo, picture) {
  const answer = await sendPhoto(draft, photo, picture);
  photoSent(draft.device);
  return answer;
}

/** Sends every draft that can be sent now. */
export async function deliver() {
  await (await outbox()).run();
}

/** Sends every draft that can be sent, without waiting for retry delays. */
export async function wake() {
  await (await outbox()).wake();
}
