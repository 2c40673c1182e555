// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handedOver } from '../../public/js/drafts/delivery.js';
import { newDraft, withAnswer, withCategory, withPlace } from '../../public/js/drafts/draft.js';
import { Outbox } from '../../public/js/drafts/outbox.js';

/** @typedef {import('../../public/js/drafts/draft.js').Draft} Draft */
/** @typedef {import('../../public/js/drafts/delivery.js').Answer} Answer */

const somebody = { id: 'a', confirmed: true, suspended: null };
const camera = { code: 'camera_fixed', label: 'Fixed camera', collects: ['video'] };
const photo = (/** @type {string} */ id) =>
  ({ id, key: `key-${id}`, alt: '', state: /** @type {const} */ ('waiting'), trouble: null });

/** @param {Partial<Draft>} [more] @returns {Draft} */
function waiting(more = {}) {
  const draft = withAnswer(withCategory(withPlace(newDraft({ id: 'd', key: 'k', now: 0 }), [1, 2], null), camera),
    'name', 'Camera');
  return handedOver({ ...draft, ...more }, null, 0);
}

/** A browser and a server with plain values, and a clock that only the tests move. */
class World {
  /** @param {Draft[]} drafts @param {Answer[]} answers of the server; the last one repeats */
  constructor(drafts, answers) {
    this.drafts = new Map(drafts.map((draft) => [draft.id, draft]));
    this.answers = answers;
    this.clock = 0;
    /** @type {{act: () => void, at: number} | null} */
    this.alarm = null;
    /** @type {string[]} */
    this.asked = [];
    /** @type {any} */
    this.somebody = somebody;
    this.gone = /** @type {any[]} */ ([]);
    this.held = false;
    this.keys = 0;
    this.store = {
      all: async () => [...this.drafts.values()],
      change: async (/** @type {string} */ id, /** @type {(draft: Draft) => Draft} */ act) => {
        const draft = this.drafts.get(id);
        if (!draft) return null;
        this.drafts.set(id, act(draft));
        return this.drafts.get(id) ?? null;
      },
      remove: async (/** @type {string} */ id, /** @type {any} */ sent) => {
        this.drafts.delete(id);
        this.gone.push(sent);
      },
      picture: async () => new Blob(['x']),
      removePicture: async () => undefined,
      alone: async (/** @type {string} */ _, /** @type {() => Promise<void>} */ act) => {
        if (this.held) return false;
        this.held = true;
        await act();
        this.held = false;
        return true;
      },
    };
  }

  answer() {
    return (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? { kind: 'silent' };
  }

  async sendDevice(/** @type {Draft} */ draft) {
    this.asked.push(`device ${draft.key} ${draft.attempt?.body}`);
    return this.answer();
  }

  async sendPhoto(/** @type {Draft} */ draft, /** @type {any} */ one) {
    this.asked.push(`photo ${draft.device} ${one.key}`);
    return this.answer();
  }

  sender = async () => this.somebody;
  doubt = async () => { this.somebody = null; };
  now = () => this.clock;
  newKey = () => `key-${this.keys += 1}`;
  after = (/** @type {() => void} */ act, /** @type {number} */ milliseconds) => {
    this.alarm = { act, at: this.clock + milliseconds };
    return this.alarm;
  };

  stop = () => { this.alarm = null; };

  /**
   * Moves the clock to the next timer and runs it.
   * @param {Outbox} outbox
   */
  async ring(outbox) {
    assert.ok(this.alarm, 'nothing is planned');
    this.clock = this.alarm.at;
    this.alarm.act();
    while (outbox.running) await new Promise((resolve) => { setTimeout(resolve); });
  }
}

/** @param {World} world */
const outboxOf = (world) => new Outbox(/** @type {any} */ ({
  ...world, store: world.store, sendDevice: world.sendDevice.bind(world), sendPhoto: world.sendPhoto.bind(world),
}));

test('sends a device and its photos, then deletes the draft', async () => {
  const world = new World([waiting({ photos: [photo('1'), photo('2')] })], [{ kind: 'taken', id: 'x' }]);
  await outboxOf(world).run();
  assert.equal(world.asked.length, 3);
  assert.match(world.asked[0], /^device k \{/);
  assert.deepEqual(world.asked.slice(1), ['photo x key-1', 'photo x key-2']);
  assert.deepEqual(world.gone, [{ device: 'x', name: 'Camera' }]);
  assert.equal(world.alarm, null);
});

test('sends once even after two taps in two tabs', async () => {
  const world = new World([waiting()], [{ kind: 'taken', id: 'x' }]);
  const [one, other] = [outboxOf(world), outboxOf(world)];
  await Promise.all([one.run(), one.run(), other.run(), other.run()]);
  assert.equal(world.asked.length, 1);
});

test('a tab checks again later while another tab is sending', async () => {
  const world = new World([waiting()], [{ kind: 'taken', id: 'x' }]);
  world.held = true;
  const outbox = outboxOf(world);
  await outbox.run();
  assert.equal(world.asked.length, 0);
  world.held = false;
  await world.ring(outbox);
  assert.equal(world.asked.length, 1);
});

test('repeats the same request with the same key after a timeout, with increasing pauses', async () => {
  const world = new World([waiting()], [{ kind: 'silent' }, { kind: 'silent' }, { kind: 'taken', id: 'x' }]);
  const outbox = outboxOf(world);
  await outbox.run();
  const [first] = world.asked;
  assert.equal(world.alarm?.at, 5_000);
  await world.ring(outbox);
  assert.equal(world.alarm?.at, 15_000);
  await world.ring(outbox);
  assert.deepEqual(world.asked, [first, first, first]);
  assert.equal(world.gone.length, 1);
});

test('sends again as soon as the connection is back', async () => {
  const world = new World([waiting()], [{ kind: 'silent' }, { kind: 'taken', id: 'x' }]);
  const outbox = outboxOf(world);
  await outbox.run();
  world.clock = 1_000;
  await outbox.wake();
  assert.equal(world.gone.length, 1);
});

test('sends nothing while signed out, and everything after a sign-in', async () => {
  const world = new World([waiting()], [{ kind: 'taken', id: 'x' }]);
  world.somebody = null;
  const outbox = outboxOf(world);
  await outbox.run();
  world.somebody = { ...somebody, confirmed: false };
  await outbox.run();
  assert.equal(world.asked.length, 0);
  world.somebody = somebody;
  await outbox.run();
  assert.equal(world.gone.length, 1);
});

test('an expired session keeps the draft without repeated attempts', async () => {
  const world = new World([waiting()], [{ kind: 'held' }]);
  const outbox = outboxOf(world);
  await outbox.run();
  await outbox.run();
  assert.equal(world.asked.length, 1);
  assert.equal(world.drafts.get('d')?.stage, 'waiting');
});

test('a refused draft does not block another one', async () => {
  const trouble = { status: 422, type: null, detail: 'No.', errors: [], candidates: [] };
  const world = new World([waiting(), { ...waiting(), id: 'e', key: 'l' }],
    [{ kind: 'refused', trouble }, { kind: 'taken', id: 'x' }]);
  await outboxOf(world).run();
  assert.equal(world.drafts.get('d')?.stage, 'refused');
  assert.equal(world.drafts.get('d')?.key, 'key-1');
  assert.equal(world.gone.length, 1);
});

test('a draft deleted while it is being sent stays deleted', async () => {
  const world = new World([waiting()], [{ kind: 'taken', id: 'x' }]);
  world.sendDevice = async () => {
    world.drafts.clear();
    return { kind: 'taken', id: 'x' };
  };
  await outboxOf(world).run();
  assert.equal(world.drafts.size, 0);
});

test('a draft of a row goes after the one before it, also if that one pauses', async () => {
  const first = waiting({ id: 'first', key: 'one' });
  const second = waiting({ id: 'second', key: 'two', after: 'first', createdAt: first.createdAt + 1 });
  const world = new World([second, first], [{ kind: 'silent' }, { kind: 'taken', id: 'x' }]);
  const outbox = outboxOf(world);
  await outbox.run();
  assert.deepEqual(world.asked.map((one) => one.split(' ')[1]), ['one'], 'the second pauses with the first');
  assert.ok((world.drafts.get('second')?.attempt?.nextAt ?? 0) > world.clock, 'and says so');
  await world.ring(outbox);
  await world.ring(outbox);
  assert.deepEqual(world.asked.map((one) => one.split(' ')[1]), ['one', 'one', 'two']);
  assert.equal(world.drafts.size, 0);
});
