// @ts-check
// Drafts and their photos in this browser, shared by its tabs. They hold texts and pictures of the user,
// so the user can list and delete them. They are sent only when the user hands them over.

import { openDatabase } from '../storage/database.js';
import { item } from '../storage/kept.js';

/** @typedef {import('./draft.js').Draft} Draft */
/**
 * @typedef {{type: 'changed', id: string | null} | {type: 'sent', id: string, device: string, name: string}} DraftNews
 */
/** @typedef {{id: string, draft: string, picture: Blob}} Photo `draft` is the id of its draft */
/** @typedef {{name: string, owner: string, until: number}} Lease `until`: milliseconds since 1970 */
/** @typedef {import('../types').Database<{draft: Draft, photo: Photo, lease: Lease}>} DraftDatabase */

const NAME = 'farol-drafts';
const VERSIONS = [{ draft: { key: 'id' }, photo: { key: 'id', indexes: ['draft'] }, lease: { key: 'name' } }];
const CHANNEL = 'farol-drafts';
/** The number of drafts in localStorage, for pages that then need not open the database. */
const COUNT = 'farol.drafts';
const LEASE = 30_000; // milliseconds
const OWNER = Math.random().toString(36).slice(2);

/** @type {Promise<DraftStore> | undefined} */
let opened;

/** @returns {Promise<DraftStore>} */
export function draftStore() {
  opened ??= open();
  return opened;
}

async function open() {
  /** @type {DraftDatabase} */
  const database = await openDatabase(NAME, VERSIONS, () => { opened = undefined; });
  return new DraftStore(database);
}

export class DraftStore {
  /** @param {DraftDatabase} database */
  constructor(database) {
    this.database = database;
    this.channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : null;
    /** @type {((news: DraftNews) => void)[]} */
    this.listeners = [];
    this.channel?.addEventListener('message', (event) => this.hear(event.data));
  }

  /** Whether drafts outlast the page. */
  get isLasting() {
    return this.database.isLasting;
  }

  /**
   * Adds a listener for changes in this tab and in others.
   * @param {(news: DraftNews) => void} listener
   */
  onNews(listener) {
    this.listeners.push(listener);
  }

  /** @param {DraftNews} news */
  hear(news) {
    for (const listener of this.listeners) listener(news);
  }

  /** @param {DraftNews} news */
  async tell(news) {
    const count = (await this.all()).length;
    try {
      if (count) item(COUNT).set(String(count));
      else item(COUNT).remove();
    } catch {
      // Without storage, other pages open the database to count.
    }
    dispatchEvent(new Event('farol-drafts'));
    this.channel?.postMessage(news);
    this.hear(news);
  }

  /**
   * All drafts, the latest first.
   * @returns {Promise<Draft[]>}
   */
  async all() {
    return (await this.database.all('draft')).sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** @param {string} id @returns {Promise<Draft | null>} */
  async get(id) {
    return await this.database.get('draft', id) ?? null;
  }

  /** @param {Draft} draft */
  async add(draft) {
    await this.database.put('draft', draft);
    await this.tell({ type: 'changed', id: draft.id });
    return draft;
  }

  /**
   * Changes the current version of a draft, including changes by other tabs. Does nothing if it was deleted.
   * @param {string} id @param {(draft: Draft) => Draft} act
   * @returns {Promise<Draft | null>}
   */
  async change(id, act) {
    const next = await this.database.write(['draft'], async (transaction) => {
      const now = await transaction.get('draft', id);
      if (!now) return null;
      const changed = act(now);
      transaction.put('draft', changed);
      return changed;
    });
    if (next) await this.tell({ type: 'changed', id });
    return next;
  }

  /**
   * Deletes a draft with its photos.
   * @param {string} id
   * @param {{device: string, name: string} | null} [sent] the resulting device
   */
  async remove(id, sent = null) {
    await this.database.write(['draft', 'photo'], async (transaction) => {
      transaction.delete('draft', id);
      for (const key of await transaction.keys('photo', 'draft', id)) transaction.delete('photo', key);
    });
    await this.tell(sent ? { type: 'sent', id, ...sent } : { type: 'changed', id });
  }

  /** Deletes all drafts and photos. */
  async clear() {
    await this.database.write(['draft', 'photo'], (transaction) => {
      transaction.clear('draft');
      transaction.clear('photo');
    });
    await this.tell({ type: 'changed', id: null });
  }

  /** @param {string} id @param {string} draft @param {Blob} picture */
  async addPicture(id, draft, picture) {
    await this.database.put('photo', { id, draft, picture });
  }

  /** @param {string} id @returns {Promise<Blob | null>} */
  async picture(id) {
    return (await this.database.get('photo', id))?.picture ?? null;
  }

  /** @param {string} id */
  async removePicture(id) {
    await this.database.delete('photo', id);
  }

  /**
   * Runs `act` unless another tab is running it.
   * @param {string} name @param {() => Promise<void>} act
   * @returns {Promise<boolean>} whether it ran
   */
  async alone(name, act) {
    if ('locks' in navigator) {
      return navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
        if (lock) await act();
        return lock !== null;
      });
    }
    if (!await this.lease(name, LEASE)) return false;
    const renewing = setInterval(() => this.lease(name, LEASE), LEASE / 3);
    try {
      await act();
    } finally {
      clearInterval(renewing);
      await this.lease(name, 0);
    }
    return true;
  }

  /**
   * Replaces locks in browsers without them. A lease expires by itself if its tab is closed.
   * @param {string} name @param {number} length milliseconds; 0 returns the lease
   * @returns {Promise<boolean>} false if another tab has it
   */
  async lease(name, length) {
    return this.database.write(['lease'], async (transaction) => {
      const held = await transaction.get('lease', name);
      if (held && held.owner !== OWNER && held.until > Date.now()) return false;
      transaction.put('lease', { name, owner: OWNER, until: Date.now() + length });
      return true;
    });
  }
}
