// @ts-check
// Databases in this browser (IndexedDB), shared by its tabs. Only this file opens them. Where the browser
// refuses storage, a database in memory replaces them: its objects end with the page.

import { checkDatabase } from './kept.js';

/** @typedef {import('../types').DatabaseVersions} DatabaseVersions */
/**
 * @template Stores
 * @typedef {import('../types').Database<Stores>} Database
 */

/**
 * Opens a database of the list in kept.js, and creates or upgrades it if necessary.
 * @template Stores
 * @param {string} name
 * @param {DatabaseVersions} versions never change an element that has been released: append one
 * @param {() => void} [closed] called when a page with a newer version needs the database, which is closed then
 * @returns {Promise<Database<Stores>>}
 */
export async function openDatabase(name, versions, closed) {
  checkDatabase(name);
  try {
    const request = indexedDB.open(name, versions.length);
    request.onupgradeneeded = ({ oldVersion }) => upgrade(request.result, versions.slice(oldVersion));
    const database = await answered(request);
    database.onversionchange = () => {
      database.close();
      closed?.();
    };
    return new LastingDatabase(database);
  } catch {
    return new MemoryDatabase(versions);
  }
}

/** @param {IDBDatabase} database @param {DatabaseVersions} versions */
function upgrade(database, versions) {
  for (const [name, { key, indexes = [] }] of versions.flatMap(Object.entries)) {
    const store = database.createObjectStore(name, { keyPath: key });
    for (const index of indexes) store.createIndex(index, index);
  }
}

/**
 * @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
function answered(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function committed(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
  });
}

/**
 * @template Stores
 * @implements {Database<Stores>}
 */
class LastingDatabase {
  isLasting = true;

  /** @param {IDBDatabase} database */
  constructor(database) {
    this.database = database;
  }

  /** @param {string} store @param {string} key */
  get(store, key) {
    return answered(this.database.transaction(store).objectStore(store).get(key));
  }

  /** @param {string} store */
  all(store) {
    return answered(this.database.transaction(store).objectStore(store).getAll());
  }

  /** @param {string} store @param {unknown} value */
  put(store, value) {
    return this.write([store], (transaction) => transaction.put(store, value));
  }

  /** @param {string} store @param {string} key */
  delete(store, key) {
    return this.write([store], (transaction) => transaction.delete(store, key));
  }

  /**
   * @template Result
   * @param {string[]} stores @param {(transaction: LastingTransaction) => Promise<Result> | Result} act
   */
  async write(stores, act) {
    const transaction = this.database.transaction(stores, 'readwrite');
    const end = committed(transaction);
    end.catch(() => undefined); // also reported by `act` if it waited for the request that failed
    try {
      const result = await act(new LastingTransaction(transaction));
      await end;
      return result;
    } catch (error) {
      abort(transaction);
      throw error;
    }
  }
}

/** @param {IDBTransaction} transaction */
function abort(transaction) {
  try {
    transaction.abort();
  } catch {
    // It has ended already.
  }
}

class LastingTransaction {
  /** @param {IDBTransaction} transaction */
  constructor(transaction) {
    this.transaction = transaction;
  }

  /** @param {string} store @param {string} key */
  get(store, key) {
    return answered(this.transaction.objectStore(store).get(key));
  }

  /** @param {string} store */
  all(store) {
    return answered(this.transaction.objectStore(store).getAll());
  }

  /** @param {string} store @param {string} index @param {string} value @returns {Promise<string[]>} */
  async keys(store, index, value) {
    return (await answered(this.transaction.objectStore(store).index(index).getAllKeys(value))).map(String);
  }

  /** @param {string} store @param {unknown} value */
  put(store, value) {
    this.transaction.objectStore(store).put(value);
  }

  /** @param {string} store @param {string} key */
  delete(store, key) {
    this.transaction.objectStore(store).delete(key);
  }

  /** @param {string} store */
  clear(store) {
    this.transaction.objectStore(store).clear();
  }
}

/**
 * Objects in memory, with the interface of a database.
 * @template Stores
 * @implements {Database<Stores>}
 */
export class MemoryDatabase {
  isLasting = false;

  /** @param {DatabaseVersions} versions */
  constructor(versions) {
    this.transaction = new MemoryTransaction(versions);
    /** @type {Promise<unknown>} the end of the last transaction: each waits for the one before */
    this.last = Promise.resolve();
  }

  /** @param {string} store @param {string} key */
  get(store, key) {
    return this.transaction.get(store, key);
  }

  /** @param {string} store */
  all(store) {
    return this.transaction.all(store);
  }

  /** @param {string} store @param {unknown} value */
  put(store, value) {
    return this.write([store], (transaction) => transaction.put(store, value));
  }

  /** @param {string} store @param {string} key */
  delete(store, key) {
    return this.write([store], (transaction) => transaction.delete(store, key));
  }

  /**
   * @template Result
   * @param {string[]} stores @param {(transaction: MemoryTransaction) => Promise<Result> | Result} act
   * @returns {Promise<Result>}
   */
  write(stores, act) {
    const result = this.last.then(() => this.transaction.run(stores, act));
    this.last = result.catch(() => undefined);
    return result;
  }
}

class MemoryTransaction {
  /** @param {DatabaseVersions} versions */
  constructor(versions) {
    /** The member that is the key of each store. */
    this.keyPaths = new Map(versions.flatMap(Object.entries).map(([name, { key }]) => [name, key]));
    /** @type {Map<string, Map<string, any>>} store, key, object */
    this.stores = new Map([...this.keyPaths.keys()].map((name) => [name, new Map()]));
  }

  /**
   * Restores the stores if `act` throws.
   * @template Result
   * @param {string[]} stores @param {(transaction: MemoryTransaction) => Promise<Result> | Result} act
   */
  async run(stores, act) {
    const before = stores.map((name) => /** @type {const} */ ([name, new Map(this.objects(name))]));
    try {
      return await act(this);
    } catch (error) {
      for (const [name, objects] of before) this.stores.set(name, objects);
      throw error;
    }
  }

  /** @param {string} store */
  objects(store) {
    const objects = this.stores.get(store);
    if (!objects) throw new Error(`There is no store ${store}`);
    return objects;
  }

  /** @param {string} store @param {string} key */
  async get(store, key) {
    return this.objects(store).get(key);
  }

  /** @param {string} store */
  async all(store) {
    return [...this.objects(store).values()];
  }

  /** @param {string} store @param {string} index @param {string} value */
  async keys(store, index, value) {
    return [...this.objects(store)].filter(([, object]) => object[index] === value).map(([key]) => key);
  }

  /** @param {string} store @param {any} value */
  put(store, value) {
    this.objects(store).set(value[this.keyPaths.get(store) ?? ''], value);
  }

  /** @param {string} store @param {string} key */
  delete(store, key) {
    this.objects(store).delete(key);
  }

  /** @param {string} store */
  clear(store) {
    this.objects(store).clear();
  }
}
