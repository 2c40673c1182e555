// @ts-check
// Sends waiting drafts once, from any open tab. delivery.js has the rules; this module performs
// them. Time, storage and requests are passed in, so that tests can replace them.

import { awake, deviceAnswered, nextStep, photoAnswered, underway } from './delivery.js';

/** @typedef {ReturnType<typeof setTimeout>} Timer */
/** @typedef {import('./draft.js').Draft} Draft */
/** @typedef {import('./draft.js').DraftPhoto} DraftPhoto */
/** @typedef {import('./delivery.js').Answer} Answer */
/** @typedef {import('./delivery.js').Sender} Sender */
/**
 * @typedef {object} World
 * @property {Pick<import('./draft-store.js').DraftStore,
 *   'all' | 'change' | 'remove' | 'picture' | 'removePicture' | 'alone'>} store
 * @property {(draft: Draft) => Promise<Answer>} sendDevice
 * @property {(draft: Draft, photo: DraftPhoto, picture: Blob) => Promise<Answer>} sendPhoto
 * @property {() => Promise<Sender>} sender the signed-in user, as far as known
 * @property {() => Promise<void>} doubt reads the session again, because the server did not accept it
 * @property {() => number} now milliseconds since 1970
 * @property {() => string} newKey
 * @property {(act: () => void, milliseconds: number) => Timer} after
 * @property {(handle: Timer | undefined) => void} stop
 */

const LOCK = 'farol-outbox';
const OTHER_TAB = 15_000; // milliseconds before checking whether another tab still holds the lock
const MOST_STEPS = 60; // steps for one draft in one run: enough for a device and its photos

export class Outbox {
  /** @param {World} world */
  constructor(world) {
    this.world = world;
    this.running = false;
    this.again = false;
    /** @type {Timer | undefined} */
    this.timer = undefined;
  }

  /**
   * Sends every draft that can be sent now. A call during a run makes the outbox check again at the
   * end.
   */
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

  /** Ends all retry delays, because the connection is back. */
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
   * Performs all steps that are possible for one draft.
   * @param {Draft} first
   * @returns {Promise<number>} time of the next check; Infinity: none
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
      /** @type {{draft: Draft | null, held: boolean}} */
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
    return {
      draft: await store.change(draft.id, (one) => deviceAnswered(one, answer, now(), newKey())),
      held: answer.kind === 'held',
    };
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
