// @ts-check
// Sends the answers of a street walk. answer.js has the rules; this module performs their steps.

import { Turns } from '../outbox/turns.js';
import { answered, awake, nextStep } from './answer.js';

/** @typedef {import('./answer.js').WalkAnswer} WalkAnswer */
/** @typedef {import('../drafts/delivery.js').Answer} Reply */
/** @typedef {import('../drafts/delivery.js').Sender} Sender */
/**
 * @typedef {import('../outbox/turns.js').Clock & WalkWorld} World
 * @typedef {object} WalkWorld
 * @property {Pick<import('./store.js').WalkStore, 'all' | 'change'>} store
 * @property {(act: () => Promise<void>) => Promise<boolean>} alone runs `act` unless another tab does; whether it ran
 * @property {Record<'verdict' | 'facts', (answer: WalkAnswer) => Promise<Reply>>} send
 * @property {() => Promise<Sender>} sender the signed-in user, as far as known
 * @property {() => Promise<void>} doubt reads the session again, because the server did not accept it
 */

/** @extends {Turns<WalkAnswer>} */
export class AnswerOutbox extends Turns {
  /** @param {World} world */
  constructor(world) {
    const { store, alone } = world;
    super({
      all: () => store.all(), change: (answer, act) => store.change(answer.device, act), awake,
      deliver: (answer) => this.deliver(answer), alone,
    }, world);
    this.world = world;
  }

  /**
   * Performs the steps of one answer.
   * @param {WalkAnswer} first
   * @returns {Promise<number>} time of the next check; Infinity: none
   */
  async deliver(first) {
    const { store, now, send, sender, doubt } = this.world;
    /** @type {WalkAnswer | null} */
    let answer = first;
    while (answer) {
      const step = nextStep(answer, await sender(), now());
      if (step.act === 'wait') return step.until;
      /** @type {Reply} */
      const reply = await send[step.act](answer);
      const { act } = step;
      answer = await store.change(answer.device, (one) => answered(one, act, reply, now()));
      if (reply.kind === 'held') {
        await doubt();
        return Infinity;
      }
    }
    return Infinity;
  }
}
