// @ts-check
// The ledger of a visitor: in this browser (IndexedDB), the same for all its tabs, and nowhere else.

import { COURTESY, timeText, todayHere } from './deadline.js';
import { noteKept } from './kept.js';
import { apply, asOf, dueDay, newChoice, RUNNING } from './ledger.js';
import { readOptions } from './options.js';

/** @typedef {import('./deadline.js').Rule} Rule */
/** @typedef {import('./ledger.js').Choice} Choice */
/** @typedef {import('./ledger.js').Told} Told */
/** @typedef {import('./store.js').Wish} Wish */
/** @typedef {import('./store.js').Patch} Patch */
/** @typedef {import('./store.js').Ledger} Ledger */

const NAME = 'farol-ledger';

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function answered(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function written(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

/** @typedef {{now: () => Date, ask: (path: string) => Promise<any>}} World */

/**
 * @param {World} world @param {() => void} closed called when a newer page of ours needs the database
 */
export async function openBrowserLedger(world, closed) {
  try {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('choice', { keyPath: 'id' });
      request.result.createObjectStore('rule', { keyPath: 'id' });
    };
    const database = await answered(request);
    database.onversionchange = () => {
      database.close();
      closed();
    };
    return new BrowserLedger(database, world);
  } catch {
    return new BrowserLedger(null, world);
  }
}

/** @implements {Ledger} */
export class BrowserLedger {
  /** @type {'browser'} */
  place = 'browser';
  /** Nobody but this browser knows of it: there is nothing to deliver from. */
  deliver = null;

  /**
   * @param {IDBDatabase | null} database null where the browser keeps nothing: the ledger then ends with the page
   * @param {World} world
   */
  constructor(database, world) {
    this.database = database;
    this.world = world;
    /** @type {Map<string, Choice>} */
    this.choices = new Map();
    /** @type {Map<string, Rule>} */
    this.rules = new Map();
  }

  /** Whether choices outlast the page. */
  get isLasting() {
    return this.database !== null;
  }

  get now() {
    return timeText(this.world.now());
  }

  /** @param {Choice} choice @returns {Choice} */
  today(choice) {
    return asOf(choice, todayHere(this.world.now()));
  }

  /** @returns {Promise<Choice[]>} the latest first */
  async all() {
    /** @type {Choice[]} */
    const found = this.database ? await answered(this.database.transaction('choice').objectStore('choice').getAll()) : [...this.choices.values()];
    return found.map((choice) => this.today(choice)).sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  }

  /** @param {string} device */
  async ofDevice(device) {
    return (await this.all()).filter((choice) => choice.device.id === device);
  }

  /** @param {string} id @returns {Promise<Choice | null>} */
  async get(id) {
    /** @type {Choice | undefined} */
    const found = this.database ? await answered(this.database.transaction('choice').objectStore('choice').get(id)) : this.choices.get(id);
    return found ? this.today(found) : null;
  }

  /** @param {Wish} wish @returns {Promise<Choice>} */
  async add({ rule, ...wish }) {
    const deadline = rule && { first: rule.first, extension: rule.extension, basis: rule.isLaw ? 'statutory' : 'courtesy' };
    const choice = newChoice({ ...wish, ...(deadline && { deadline }), id: crypto.randomUUID(), now: this.now });
    await this.put([choice]);
    if (rule) await this.keepRule(choice.id, rule);
    return this.today(choice);
  }

  /** @param {string} id @param {Patch} patch @returns {Promise<Choice>} */
  async change(id, patch) {
    return this.swap(id, (choice) => ({
      ...choice, ...patch, ...(patch.details && { details: { ...choice.details, ...patch.details } }), updated_at: this.now,
    }));
  }

  /**
   * @param {string} id @param {Told} told
   * @returns {Promise<Choice>}
   * @throws {import('./ledger.js').TransitionRefused}
   */
  async tell(id, told) {
    const rule = await this.ruleOf(id);
    return this.swap(id, (choice) => apply(choice, told, { rule, now: this.now }));
  }

  /** @param {string} id */
  async remove(id) {
    this.choices.delete(id);
    this.rules.delete(id);
    await this.write((choices, rules) => {
      choices.delete(id);
      rules.delete(id);
    });
  }

  /** Deletes the whole ledger. */
  async clear() {
    this.choices.clear();
    this.rules.clear();
    await this.write((choices, rules) => {
      choices.clear();
      rules.clear();
    });
  }

  /**
   * Takes over the choices of a file. One that is here already is replaced only by a later one.
   * @param {Choice[]} choices
   * @returns {Promise<{taken: number, refused: string[]}>}
   */
  async take(choices) {
    const here = new Map((await this.all()).map((choice) => [choice.id, choice]));
    const taken = choices.filter((choice) => (here.get(choice.id)?.updated_at ?? '') < choice.updated_at);
    await this.put(taken);
    return { taken: taken.length, refused: [] };
  }

  /** @param {Choice[]} choices */
  async put(choices) {
    if (!this.database) for (const choice of choices) this.choices.set(choice.id, choice);
    await this.write((store) => { for (const choice of choices) store.put(choice); });
  }

  /** @param {(choices: IDBObjectStore, rules: IDBObjectStore) => void} act */
  async write(act) {
    if (this.database) {
      const transaction = this.database.transaction(['choice', 'rule'], 'readwrite');
      act(transaction.objectStore('choice'), transaction.objectStore('rule'));
      await written(transaction);
    }
    await this.note();
  }

  /** Notes for other pages what is kept and when the first answer is due; of what ends with the page, nothing. */
  async note() {
    const choices = this.database ? await this.all() : [];
    const days = choices.filter(({ state }) => RUNNING.includes(state)).flatMap((choice) => dueDay(choice) ?? []);
    noteKept(choices.length, days.sort()[0] ?? null);
  }

  /**
   * Changes a choice as it is now, whichever tab changed it last.
   * @param {string} id @param {(choice: Choice) => Choice} act
   * @returns {Promise<Choice>}
   */
  async swap(id, act) {
    if (!this.database) {
      const now = this.choices.get(id);
      if (!now) throw new Error('There is no such choice');
      const next = act(now);
      this.choices.set(id, next);
      return this.today(next);
    }
    const transaction = this.database.transaction('choice', 'readwrite');
    const done = written(transaction);
    const store = transaction.objectStore('choice');
    /** @type {Choice | undefined} */
    const now = await answered(store.get(id));
    if (!now) throw new Error('There is no such choice');
    const next = act(now);
    store.put(next);
    await done;
    await this.note();
    return this.today(next);
  }

  /** @param {string} id @param {Rule} rule */
  async keepRule(id, rule) {
    if (!this.database) this.rules.set(id, rule);
    await this.write((_, rules) => { rules.put({ id, rule }); });
  }

  /**
   * How days are counted for a choice: as it was said when it was wanted, else as the server says now,
   * else, with no server in reach, as the choice itself says or a month, past weekends.
   * @param {string} id
   * @returns {Promise<Rule>}
   */
  async ruleOf(id) {
    const kept = this.database ? (await answered(this.database.transaction('rule').objectStore('rule').get(id)))?.rule : this.rules.get(id);
    if (kept) return kept;
    const choice = await this.get(id);
    if (!choice) return COURTESY;
    try {
      const options = readOptions(await this.world.ask(`/api/collections/devices/items/${encodeURIComponent(choice.device.id)}/choices`));
      const rule = options.ruleFor(choice);
      await this.keepRule(id, rule);
      return rule;
    } catch {
      const { deadline } = choice;
      return deadline ? { first: deadline.first, extension: deadline.extension, isLaw: deadline.basis === 'statutory', freeDays: [] } : COURTESY;
    }
  }
}
