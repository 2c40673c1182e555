// @ts-check
// Edits that are not saved yet, kept in this browser (IndexedDB) so that a closed tab, a lost
// connection or signing in loses nothing. One for each device and account; gone once it is saved.

import { isWorthKeeping } from './edit.js';

/** @typedef {import('./edit.js').Edit} Edit */

const NAME = 'farol-edits';
const STORE = 'edit';
const DAYS = 30; // after which what nobody came back to is forgotten

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

/** @type {Promise<IDBDatabase | null> | undefined} */
let opened;

/** @returns {Promise<IDBDatabase | null>} null where the browser keeps nothing: edits then end with the page */
function database() {
  opened ??= (async () => {
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
      return await answered(request);
    } catch {
      return null;
    }
  })();
  return opened;
}

/** @param {string} device @param {string | null} account */
const keyOf = (device, account) => `${device} ${account ?? ''}`;

/**
 * Keeps an edit, or forgets one in which nothing is left.
 * @param {Edit} edit
 */
export async function keep(edit) {
  const store = await storeFor('readwrite');
  if (!store) return;
  const key = keyOf(edit.id, edit.account);
  if (isWorthKeeping(edit)) await answered(store.put({ key, edit }));
  else await answered(store.delete(key));
}

/**
 * The edit of a device that somebody began; what a visitor began goes over to whoever signs in.
 * @param {string} device @param {string | null} account
 * @returns {Promise<Edit | null>}
 */
export async function kept(device, account) {
  const store = await storeFor('readwrite');
  if (!store) return null;
  /** @type {{key: string, edit: Edit}[]} */
  const all = await answered(store.getAll());
  for (const { key, edit } of all) if (Date.now() - edit.at > DAYS * 86_400_000) store.delete(key);
  const found = [keyOf(device, account), keyOf(device, null)].map((key) => all.find((one) => one.key === key)?.edit).find(Boolean);
  if (!found) return null;
  if (found.account === account) return found;
  const own = { ...found, account };
  store.delete(keyOf(device, null));
  store.put({ key: keyOf(device, account), edit: own });
  return own;
}

/**
 * @param {string} device @param {string | null} account
 */
export async function forget(device, account) {
  const store = await storeFor('readwrite');
  if (store) await Promise.all([keyOf(device, account), keyOf(device, null)].map((key) => answered(store.delete(key))));
}

/** @param {IDBTransactionMode} mode */
async function storeFor(mode) {
  return (await database())?.transaction(STORE, mode).objectStore(STORE) ?? null;
}
