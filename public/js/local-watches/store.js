// @ts-check
// The watches in this browser, shared by its tabs.

import { openDatabase } from '../storage/database.js';
import { SharedStore } from '../storage/shared-store.js';
import { noteWatches } from './kept.js';
import { newCount } from './watch.js';

/** @typedef {import('./watch.js').Watch} Watch */
/** @typedef {{name: string, at: number}} Moment */
/** @typedef {import('../types').Database<{watch: Watch, moment: Moment}>} WatchDatabase */

const NAME = 'farol-watches';
const VERSIONS = [{ watch: { key: 'id' }, moment: { key: 'name' } }];

/** @type {Promise<WatchStore> | undefined} */
let opened;

/** @returns {Promise<WatchStore>} */
export function watchStore() {
  opened ??= open();
  return opened;
}

async function open() {
  /** @type {WatchDatabase} */
  const database = await openDatabase(NAME, VERSIONS, () => { opened = undefined; });
  return new WatchStore(database, NAME);
}

/** @extends {SharedStore<{watch: Watch, moment: Moment}>} */
export class WatchStore extends SharedStore {
  async tell() {
    const watches = await this.all();
    noteWatches({
      count: watches.length, news: watches.reduce((sum, watch) => sum + newCount(watch), 0),
      since: Math.min(...watches.filter(newCount).map(({ seenAt }) => seenAt), Date.now()),
    });
    this.announce();
  }

  /** All watches, the oldest first. @returns {Promise<Watch[]>} */
  async all() { return (await this.database.all('watch')).sort((a, b) => a.createdAt - b.createdAt); }

  /** @param {Watch[]} watches */
  async add(...watches) {
    await this.database.write(['watch'], (transaction) => {
      for (const watch of watches) transaction.put('watch', watch);
    });
    await this.tell();
  }

  /**
   * Changes the current version of a watch. Does nothing if it was deleted.
   * @param {string} id @param {(watch: Watch) => Watch} act
   */
  async change(id, act) {
    await this.database.write(['watch'], async (transaction) => {
      const now = await transaction.get('watch', id);
      if (now) transaction.put('watch', act(now));
    });
    await this.tell();
  }

  /** @param {string} id */
  async remove(id) {
    await this.database.delete('watch', id);
    await this.tell();
  }

  /** Deletes all watches, and when the feeds were read. */
  async clear() {
    await this.database.write(['watch', 'moment'], (transaction) => {
      transaction.clear('watch');
      transaction.clear('moment');
    });
    await this.tell();
  }

  /** When the feeds were last read; 0: never. */
  async checkedAt() { return (await this.database.get('moment', 'checked'))?.at ?? 0; }

  /** @param {number} at */
  async noteChecked(at) { await this.database.put('moment', { name: 'checked', at }); }
}
