// @ts-check
// Sends waiting drafts. delivery.js has the rules; this module performs their steps.

import { Turns } from '../outbox/turns.js';
import { awake, deviceAnswered, nextStep, photoAnswered, underway } from './delivery.js';

/** @typedef {import('./draft.js').Draft} Draft */
/** @typedef {import('./draft.js').DraftPhoto} DraftPhoto */
/** @typedef {import('./delivery.js').Answer} Answer */
/** @typedef {import('./delivery.js').Sender} Sender */
/**
 * @typedef {import('../outbox/turns.js').Clock & DraftWorld} World
 * @typedef {object} DraftWorld
 * @property {Pick<import('./draft-store.js').DraftStore,
 *   'all' | 'change' | 'remove' | 'picture' | 'removePicture' | 'alone'>} store
 * @property {(draft: Draft) => Promise<Answer>} sendDevice
 * @property {(draft: Draft, photo: DraftPhoto, picture: Blob) => Promise<Answer>} sendPhoto
 * @property {() => Promise<Sender>} sender the signed-in user, as far as known
 * @property {() => Promise<void>} doubt reads the session again, because the server did not accept it
 * @property {() => string} newKey
 */

const LOCK = 'farol-outbox';
const MOST_STEPS = 60; // steps for one draft in one run: enough for a device and its photos

/** @extends {Turns<Draft>} */
export class Outbox extends Turns {
  /** @param {World} world */
  constructor(world) {
    const { store } = world;
    super({
      // The earlier first: a device of a row names those before it as others.
      all: async () => (await store.all()).sort((one, other) => one.createdAt - other.createdAt),
      change: (draft, act) => store.change(draft.id, act), awake,
      deliver: (draft) => this.deliver(draft), alone: (act) => store.alone(LOCK, act),
    }, world);
    this.world = world;
  }

  /**
   * Performs all steps that are possible for one draft.
   * @param {Draft} first
   * @returns {Promise<number>} time of the next check; Infinity: none
   */
  async deliver(first) {
    const { store, now } = this.world;
    const pause = await this.pauseBefore(first);
    if (pause) return pause;
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

  /**
   * While the draft before it in a row pauses, a draft pauses as well: sent first, it would make the other a likely
   * duplicate.
   * @param {Draft} draft @returns {Promise<number | null>} the end of the pause
   */
  async pauseBefore({ id, after, attempt }) {
    const { store, now } = this.world;
    const before = after && (await store.all()).find((one) => one.id === after && one.stage === 'waiting');
    if (!before || !before.attempt || before.attempt.nextAt <= now()) return null;
    const nextAt = before.attempt.nextAt + 1;
    if (attempt && attempt.nextAt !== nextAt) {
      await store.change(id, (one) => (one.stage === 'waiting' && one.attempt
        ? { ...one, attempt: { ...one.attempt, nextAt } } : one));
    }
    return nextAt;
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
