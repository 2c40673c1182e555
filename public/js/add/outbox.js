// @ts-check
// Sends what waits, once, from whichever tab is open: the rules stand in delivery.js, this carries
// them out. What it needs of the world is handed in, so that tests can hand in another.

import { awake, deviceAnswered, nextStep, photoAnswered, underway } from './delivery.js';

/** @typedef {import('./draft.js').Draft} Draft */
/** @typedef {import('./draft.js').DraftPhoto} DraftPhoto */
/** @typedef {import('./delivery.js').Answer} Answer */
/** @typedef {import('./delivery.js').Sender} Sender */
/**
 * @typedef {object} World
 * @property {Pick<import('./draft-store.js').DraftStore, 'all' | 'change' | 'remove' | 'picture' | 'removePicture' | 'alone'>} store
 * @property {(draft: Draft) => Promise<Answer>} sendDevice
 * @property {(draft: Draft, photo: DraftPhoto, picture: Blob) => Promise<Answer>} sendPhoto
 * @property {() => Promise<Sender>} sender who is signed in, as far as is known
 * @property {() => Promise<void>} doubt the server says somebody else is: ask again who it is
 * @property {() => number} now milliseconds since 1970
 * @property {() => string} newKey
 * @property {(act: () => void, milliseconds: number) => any} after
 * @property {(handle: any) => void} stop
 */

const LOCK = 'farol-outbox';
const OTHER_TAB = 15_000; // milliseconds until it is asked whether another tab is still at it
const MOST_STEPS = 60; // of one draft in one run: a device and its photos, with room

export class Outbox {
  /** @param {World} world */
  constructor(world) {
    this.world = world;
    this.running = false;
    this.again = false;
    /** @type {any} */
    this.timer = null;
  }

  /** Sends what can be sent now. Calls while it runs make it look again when it is through. */
  async run() {
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = true;
    try {
      do {
        this.again = false;
        await this.once();
      } while (this.again);
    } finally {
      this.running = false;
    }
  }

  /** The connection is back: nobody waits for a time any more. */
  async wake() {
    const { store, now } = this.world;
    for (const draft of await store.all()) {
      if (awake(draft, now()) !== draft) await store.change(draft.id, (one) => awake(one, now()));
    }
    await this.run();
  }

  async once() {
    const { store, now, after, stop } = this.world;
    stop(this.timer);
    let next = Infinity;
    const alone = await store.alone(LOCK, async () => {
      for (const draft of await store.all()) next = Math.min(next, await this.deliver(draft));
    });
    if (!alone) next = now() + OTHER_TAB;
    if (Number.isFinite(next)) this.timer = after(() => this.run(), Math.max(250, next - now()));
  }

  /**
   * All that can be done for one draft.
   * @param {Draft} first
   * @returns {Promise<number>} when to look again; never: infinity
   */
  async deliver(first) {
    const { store, now } = this.world;
    /** @type {Draft | null} */
    let draft = first;
    for (let step = 0; draft && step < MOST_STEPS; step += 1) {
      if (draft.stage === 'sent') {
        await store.remove(draft.id, { device: draft.device ?? '', name: draft.properties.name ?? '' });
        return Infinity;
      }
      const sender = await this.world.sender();
      const next = nextStep(draft, sender, now());
      if (next.act === 'none') return Infinity;
      if (next.act === 'wait') return next.until ?? Infinity;
      const answer = next.act === 'device' ? await this.device(draft, sender) : await this.photo(draft, next.photo);
      draft = answer.draft;
      if (answer.held) {
        await this.world.doubt();
        return Infinity;
      }
    }
    return Infinity;
  }

  /** @param {Draft} draft @param {Sender} sender */
  async device(draft, sender) {
    const { store, now, newKey } = this.world;
    const begun = await store.change(draft.id, (one) => (one.stage === 'waiting' ? underway(one, sender) : one));
    if (!begun || begun.stage !== 'waiting') return { draft: begun, held: false };
    const answer = await this.world.sendDevice(begun);
    return { draft: await store.change(draft.id, (one) => deviceAnswered(one, answer, now(), newKey())), held: answer.kind === 'held' };
  }

  /** @param {Draft} draft @param {DraftPhoto} photo */
  async photo(draft, photo) {
    const { store, now } = this.world;
    const picture = await store.picture(photo.id);
    /** @type {Answer} */
    const answer = picture ? await this.world.sendPhoto(draft, photo, picture) : { kind: 'taken', id: '' };
    const next = await store.change(draft.id, (one) => photoAnswered(one, photo, answer, now()));
    if (answer.kind === 'taken') await store.removePicture(photo.id);
    return { draft: next, held: answer.kind === 'held' };
  }
}
