// @ts-check
// Drafts and their photos in this browser (IndexedDB), the same for all its tabs. They hold what
// somebody typed and photographed, so they can be listed and deleted, and go nowhere by themselves.

/** @typedef {import('./draft.js').Draft} Draft */
/** @typedef {{type: 'changed', id: string | null} | {type: 'sent', id: string, device: string, name: string}} DraftNews */

const NAME = 'farol-drafts';
const CHANNEL = 'farol-drafts';
/** In localStorage: how many drafts there are, for pages that need not open the database to know. */
const COUNT = 'farol.drafts';

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

/** @type {Promise<DraftStore> | undefined} */
let opened;

/** @returns {Promise<DraftStore>} */
export function draftStore() {
  opened ??= open();
  return opened;
}

async function open() {
  try {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('draft', { keyPath: 'id' });
      request.result.createObjectStore('photo', { keyPath: 'id' }).createIndex('draft', 'draft');
      request.result.createObjectStore('lease', { keyPath: 'name' });
    };
    const database = await answered(request);
    database.onversionchange = () => {
      database.close();
      opened = undefined;
    };
    return new DraftStore(database);
  } catch {
    return new DraftStore(null);
  }
}

export class DraftStore {
  /** @param {IDBDatabase | null} database null where the browser keeps nothing: drafts then end with the page */
  constructor(database) {
    this.database = database;
    /** @type {Map<string, Draft>} */
    this.drafts = new Map();
    /** @type {Map<string, {draft: string, picture: Blob}>} */
    this.pictures = new Map();
    this.channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : null;
    /** @type {((news: DraftNews) => void)[]} */
    this.listeners = [];
    this.channel?.addEventListener('message', (event) => this.hear(event.data));
  }

  /** Whether drafts outlast the page. */
  get isLasting() {
    return this.database !== null;
  }

  /**
   * Told of changes in this tab and in others.
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
      if (count) localStorage.setItem(COUNT, String(count));
      else localStorage.removeItem(COUNT);
    } catch {
      // storage refused: the next page opens the database to know
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
    const found = this.database
      ? await answered(this.database.transaction('draft').objectStore('draft').getAll()) : [...this.drafts.values()];
    return found.sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** @param {string} id @returns {Promise<Draft | null>} */
  async get(id) {
    if (!this.database) return this.drafts.get(id) ?? null;
    return await answered(this.database.transaction('draft').objectStore('draft').get(id)) ?? null;
  }

  /** @param {Draft} draft */
  async add(draft) {
    await this.write(draft);
    await this.tell({ type: 'changed', id: draft.id });
    return draft;
  }

  /**
   * Changes the draft as it is now, whichever tab changed it last; one that is gone stays gone.
   * @param {string} id @param {(draft: Draft) => Draft} act
   * @returns {Promise<Draft | null>}
   */
  async change(id, act) {
    const next = await this.swap(id, act);
    if (next) await this.tell({ type: 'changed', id });
    return next;
  }

  /** @param {string} id @param {(draft: Draft) => Draft} act @returns {Promise<Draft | null>} */
  async swap(id, act) {
    if (!this.database) {
      const now = this.drafts.get(id);
      if (!now) return null;
      const next = act(now);
      this.drafts.set(id, next);
      return next;
    }
    const transaction = this.database.transaction('draft', 'readwrite');
    const store = transaction.objectStore('draft');
    /** @type {Draft | undefined} */
    const now = await answered(store.get(id));
    if (!now) return null;
    const next = act(now);
    store.put(next);
    await written(transaction);
    return next;
  }

  /** @param {Draft} draft */
  async write(draft) {
    if (!this.database) {
      this.drafts.set(draft.id, draft);
      return;
    }
    const transaction = this.database.transaction('draft', 'readwrite');
    transaction.objectStore('draft').put(draft);
    await written(transaction);
  }

  /**
   * Deletes a draft with its photos.
   * @param {string} id
   * @param {{device: string, name: string} | null} [sent] where it went
   */
  async remove(id, sent = null) {
    if (this.database) {
      const transaction = this.database.transaction(['draft', 'photo'], 'readwrite');
      transaction.objectStore('draft').delete(id);
      const photos = transaction.objectStore('photo');
      for (const key of await answered(photos.index('draft').getAllKeys(id))) photos.delete(key);
      await written(transaction);
    } else {
      this.drafts.delete(id);
      for (const [key, photo] of this.pictures) if (photo.draft === id) this.pictures.delete(key);
    }
    await this.tell(sent ? { type: 'sent', id, ...sent } : { type: 'changed', id });
  }

  /** Deletes everything that stands here. */
  async clear() {
    if (this.database) {
      const transaction = this.database.transaction(['draft', 'photo'], 'readwrite');
      transaction.objectStore('draft').clear();
      transaction.objectStore('photo').clear();
      await written(transaction);
    }
    this.drafts.clear();
    this.pictures.clear();
    await this.tell({ type: 'changed', id: null });
  }

  /** @param {string} id @param {string} draft @param {Blob} picture */
  async addPicture(id, draft, picture) {
    if (!this.database) {
      this.pictures.set(id, { draft, picture });
      return;
    }
    const transaction = this.database.transaction('photo', 'readwrite');
    transaction.objectStore('photo').put({ id, draft, picture });
    await written(transaction);
  }

  /** @param {string} id @returns {Promise<Blob | null>} */
  async picture(id) {
    if (!this.database) return this.pictures.get(id)?.picture ?? null;
    return (await answered(this.database.transaction('photo').objectStore('photo').get(id)))?.picture ?? null;
  }

  /** @param {string} id */
  async removePicture(id) {
    this.pictures.delete(id);
    if (!this.database) return;
    const transaction = this.database.transaction('photo', 'readwrite');
    transaction.objectStore('photo').delete(id);
    await written(transaction);
  }

  /**
   * Does something in one tab only; answers false at once where another tab is at it.
   * @param {string} name @param {() => Promise<void>} act
   * @returns {Promise<boolean>}
   */
  async alone(name, act) {
    if ('locks' in navigator) {
      return /** @type {any} */ (navigator).locks.request(name, { ifAvailable: true }, async (/** @type {unknown} */ lock) => {
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
   * For browsers without locks: a lease that ends by itself if its tab does.
   * @param {string} name @param {number} length milliseconds; 0 gives it back
   */
  async lease(name, length) {
    if (!this.database) return true;
    const transaction = this.database.transaction('lease', 'readwrite');
    const store = transaction.objectStore('lease');
    const held = await answered(store.get(name));
    if (held && held.owner !== OWNER && held.until > Date.now()) return false;
    store.put({ name, owner: OWNER, until: Date.now() + length });
    await written(transaction);
    return true;
  }
}

const LEASE = 30_000; // milliseconds
const OWNER = Math.random().toString(36).slice(2);
