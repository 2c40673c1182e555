// @ts-check
// Runs an outbox: sends each waiting item once, from any open tab, and again after a pause. The outboxes of drafts and
// of street walks define their items and the steps of each. Time, storage and requests are passed in,
// so that tests can replace them.

/** @typedef {ReturnType<typeof setTimeout>} Timer */
/**
 * @typedef {object} Clock
 * @property {() => number} now milliseconds since 1970
 * @property {(act: () => void, milliseconds: number) => Timer} after
 * @property {(handle: Timer | undefined) => void} stop
 */
/**
 * The items of an outbox.
 * @template Item
 * @typedef {object} Items
 * @property {() => Promise<Item[]>} all
 * @property {(item: Item, act: (item: Item) => Item) => Promise<unknown>} change
 * @property {(item: Item, now: number) => Item} awake the item without its pause; the same object without a pause
 * @property {(item: Item) => Promise<number>} deliver performs all steps that are possible now; returns the time of the
 *   next check, Infinity for none
 * @property {(act: () => Promise<void>) => Promise<boolean>} alone runs `act` unless another tab does; whether it ran
 */

const OTHER_TAB = 15_000; // milliseconds before checking whether another tab still sends
const SOONEST = 250; // milliseconds

/** @template Item */
export class Turns {
  /** @param {Items<Item>} items @param {Clock} clock */
  constructor(items, clock) {
    this.items = items;
    this.clock = clock;
    this.running = false;
    this.again = false;
    /** @type {Timer | undefined} */
    this.timer = undefined;
  }

  /** Sends every item that can be sent now. A call during a run makes the outbox check again at the end. */
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
    const { items, clock } = this;
    for (const item of await items.all()) {
      if (items.awake(item, clock.now()) !== item) await items.change(item, (one) => items.awake(one, clock.now()));
    }
    await this.run();
  }

  async once() {
    const { items, clock } = this;
    clock.stop(this.timer);
    let next = Infinity;
    const isAlone = await items.alone(async () => {
      for (const item of await items.all()) next = Math.min(next, await items.deliver(item));
    });
    if (!isAlone) next = clock.now() + OTHER_TAB;
    if (Number.isFinite(next)) this.timer = clock.after(() => this.run(), Math.max(SOONEST, next - clock.now()));
  }
}
