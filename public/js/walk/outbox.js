// @ts-check
// Sends the answers of a street walk once, from any open tab. answer.js has the rules; this module performs them. Time,
// storage and requests are passed in, so that tests can replace them.

import { answered, awake, nextStep } from './answer.js';

/** @typedef {ReturnType<typeof setTimeout>} Timer */
/** @typedef {import('./answer.js').WalkAnswer} WalkAnswer */
/** @typedef {import('../drafts/delivery.js').Answer} Reply */
/** @typedef {import('../drafts/delivery.js').Sender} Sender */
/**
 * @typedef {object} World
 * @property {Pick<import('./store.js').WalkStore, 'all' | 'change'>} store
 * @property {(act: () => Promise<void>) => Promise<boolean>} alone runs `act` unless another tab does; whether it ran
 * @property {Record<'verdict' | 'facts', (answer: WalkAnswer) => Promise<Reply>>} send
 * @property {() => Promise<Sender>} sender the signed-in user, as far as known
 * @property {() => Promise<void>} doubt reads the session again, because the server did not accept it
 * @property {() => number} now milliseconds since 1970
 * @property {(act: () => void, milliseconds: number) => Timer} after
 * @property {(handle: Timer | undefined) => void} stop
 */

const OTHER_TAB = 15_000; // milliseconds before checking whether another tab still sends
const SOONEST = 250; // milliseconds

export class AnswerOutbox {
  /** @param {World} world */
  constructor(world) {
    this.world = world;
    this.running = false;
    this.again = false;
    /** @type {Timer | undefined} */
    this.timer = undefined;
  }

  /** Sends every answer that can be sent now. A call during a run makes the outbox check again at the end. */
  async run() {
    this.again = true;
    if (this.running) return;
    this.running = true;
    try {
      while (this.again) {
        this.again = false;
        await this.once();
      }
    } finally {
      this.running = false;
    }
  }

  /** Ends all pauses, because the connection is back. */
  async wake() {
    const { store, now } = this.world;
    for (const answer of await store.all()) {
      if (awake(answer, now()) !== answer) await store.change(answer.device, (one) => awake(one, now()));
    }
    await this.run();
  }

  async once() {
    const { store, alone, now, after, stop } = this.world;
    stop(this.timer);
    let next = Infinity;
    const isAlone = await alone(async () => {
      for (const answer of await store.all()) next = Math.min(next, await this.deliver(answer));
    });
    if (!isAlone) next = now() + OTHER_TAB;
    if (Number.isFinite(next)) this.timer = after(() => this.run(), Math.max(SOONEST, next - now()));
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
