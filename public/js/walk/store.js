// @ts-check
// The answers of a street walk in this browser, shared by its tabs. They hold no position of the person and no time of
// an answer.

import { openDatabase } from '../storage/database.js';
import { SharedStore } from '../storage/shared-store.js';
import { noteAnswers } from './kept.js';
import { isWaiting } from './answer.js';

/** @typedef {import('./answer.js').WalkAnswer} WalkAnswer */
/** @typedef {import('../types').Database<{answer: WalkAnswer}>} WalkDatabase */

const NAME = 'farol-walk';
const VERSIONS = [{ answer: { key: 'device' } }];

/** @type {Promise<WalkStore> | undefined} */
let opened;

/** @returns {Promise<WalkStore>} */
export function walkStore() {
  opened ??= open();
  return opened;
}

async function open() {
  /** @type {WalkDatabase} */
  const database = await openDatabase(NAME, VERSIONS, () => { opened = undefined; });
  return new WalkStore(database, NAME);
}

/** @extends {SharedStore<{answer: WalkAnswer}>} */
export class WalkStore extends SharedStore {
  async tell() {
    noteAnswers((await this.all()).filter(isWaiting).length);
    this.announce();
  }

  /** @returns {Promise<WalkAnswer[]>} */
  all() { return this.database.all('answer'); }

  /** @param {WalkAnswer} answer */
  async put(answer) {
    await this.database.put('answer', answer);
    await this.tell();
  }

  /**
   * Changes the current version of an answer. Does nothing if it was deleted.
   * @param {string} device @param {(answer: WalkAnswer) => WalkAnswer} act
   */
  async change(device, act) {
    let isChanged = false;
    const result = await this.database.write(['answer'], async (transaction) => {
      const now = await transaction.get('answer', device);
      if (!now) return null;
      const next = act(now);
      isChanged = next !== now;
      if (isChanged) transaction.put('answer', next);
      return next;
    });
    if (isChanged) await this.tell();
    return result;
  }

  /** @param {string} device */
  async remove(device) {
    await this.database.delete('answer', device);
    await this.tell();
  }

  /** Ends the walk: forgets the answers that need no request any more. */
  async end() {
    await this.database.write(['answer'], async (transaction) => {
      for (const answer of await transaction.all('answer')) {
        if (!isWaiting(answer)) transaction.delete('answer', answer.device);
      }
    });
    await this.tell();
  }

  /** Deletes all answers. */
  async clear() {
    await this.database.write(['answer'], (transaction) => transaction.clear('answer'));
    await this.tell();
  }
}
