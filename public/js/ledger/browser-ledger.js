// @ts-check
// The ledger of a visitor without an account. It is stored in this browser only, shared by its tabs.

import { openDatabase } from '../storage/database.js';
import { newID } from '../unique.js';
import { COURTESY, timeText, todayHere } from './deadline.js';
import { noteKept } from './kept.js';
import { apply, asOf, dueDay, newChoice, RUNNING } from './ledger.js';
import { readOptions, regionOf } from './options.js';

/** @typedef {import('./deadline.js').Rule} Rule */
/** @typedef {import('./ledger.js').Choice} Choice */
/** @typedef {import('./ledger.js').Told} Told */
/** @typedef {import('./store.js').Wish} Wish */
/** @typedef {import('./store.js').Patch} Patch */
/** @typedef {import('./store.js').Ledger} Ledger */

/** @typedef {import('../types').Database<{choice: Choice, rule: {id: string, rule: Rule}}>} LedgerDatabase */

const NAME = 'farol-ledger';
export const VERSIONS = [{ choice: { key: 'id' }, rule: { key: 'id' } }];

/** @typedef {{now: () => Date, ask: (path: string) => Promise<any>}} World */

/**
 * @param {World} world @param {() => void} closed called when a page with a newer version needs the database
 */
export async function openBrowserLedger(world, closed) {
  return new BrowserLedger(await openDatabase(NAME, VERSIONS, closed), world);
}

/** @implements {Ledger} */
export class BrowserLedger {
  /** @type {'browser'} */
  place = 'browser';
  /** The operator's inbox is for requests of accounts: a choice in the browser cannot be delivered to it. */
  deliver = null;

  /** @param {LedgerDatabase} database @param {World} world */
  constructor(database, world) {
    this.database = database;
    this.world = world;
  }

  /** Whether choices outlast the page. */
  get isLasting() {
    return this.database.isLasting;
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
    const found = await this.database.all('choice');
    return found.map((choice) => this.today(choice)).sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  }

  /** @param {string} device */
  async ofDevice(device) {
    return (await this.all()).filter((choice) => choice.device.id === device);
  }

  /** @param {string} id @returns {Promise<Choice | null>} */
  async get(id) {
    const found = await this.database.get('choice', id);
    return found ? this.today(found) : null;
  }

  /** @param {Wish} wish @returns {Promise<Choice>} */
  async add({ rule, ...wish }) {
    const deadline = rule && {
      first: rule.first, extension: rule.extension, basis: rule.isLaw ? 'statutory' : 'courtesy',
    };
    const choice = newChoice({ ...wish, ...(deadline && { deadline }), id: newID(), now: this.now });
    await this.put([choice]);
    if (rule) await this.keepRule(choice.id, rule);
    return this.today(choice);
  }

  /** @param {string} id @param {Patch} patch @returns {Promise<Choice>} */
  async change(id, patch) {
    return this.swap(id, (choice) => ({
      ...choice, ...patch, ...(patch.details && { details: { ...choice.details, ...patch.details } }),
      updated_at: this.now,
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
    await this.database.write(['choice', 'rule'], (transaction) => {
      transaction.delete('choice', id);
      transaction.delete('rule', id);
    });
    await this.note();
  }

  /** Deletes the whole ledger. */
  async clear() {
    await this.database.write(['choice', 'rule'], (transaction) => {
      transaction.clear('choice');
      transaction.clear('rule');
    });
    await this.note();
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
    await this.database.write(['choice'], (transaction) => {
      for (const choice of choices) transaction.put('choice', choice);
    });
    await this.note();
  }

  /**
   * Stores the number of choices and the day of the first deadline for other pages. Choices that end with
   * the page do not count.
   */
  async note() {
    const choices = this.isLasting ? await this.all() : [];
    const days = choices.filter(({ state }) => RUNNING.includes(state)).flatMap((choice) => dueDay(choice) ?? []);
    noteKept(choices.length, days.sort()[0] ?? null);
  }

  /**
   * Changes the current version of a choice, including changes by other tabs.
   * @param {string} id @param {(choice: Choice) => Choice} act
   * @returns {Promise<Choice>}
   */
  async swap(id, act) {
    const next = await this.database.write(['choice'], async (transaction) => {
      const now = await transaction.get('choice', id);
      if (!now) throw new Error('There is no such choice');
      const changed = act(now);
      transaction.put('choice', changed);
      return changed;
    });
    await this.note();
    return this.today(next);
  }

  /** @param {string} id @param {Rule} rule */
  async keepRule(id, rule) {
    await this.database.put('rule', { id, rule });
  }

  /**
   * The rule for counting days of a choice: the rule stored when it was added, otherwise the present rule of the
   * server, otherwise (no server in reach) the rule of the choice itself or a month, past weekends.
   * @param {string} id
   * @returns {Promise<Rule>}
   */
  async ruleOf(id) {
    const kept = (await this.database.get('rule', id))?.rule;
    if (kept) return kept;
    const choice = await this.get(id);
    if (!choice) return COURTESY;
    try {
      const region = regionOf(choice.regime);
      const address = `/api/collections/devices/items/${encodeURIComponent(choice.device.id)}/choices`
        + (region ? `?region=${region}` : '');
      const rule = readOptions(await this.world.ask(address)).ruleFor(choice);
      await this.keepRule(id, rule);
      return rule;
    } catch {
      const { deadline } = choice;
      return deadline
        ? { first: deadline.first, extension: deadline.extension, isLaw: deadline.basis === 'statutory', freeDays: [] }
        : COURTESY;
    }
  }
}
