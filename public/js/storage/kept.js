// @ts-check
// Everything that Farol stores in a browser, in one list, and its deletion. A page stores data only under a name of
// this list: the functions here and in database.js refuse any other. early.js and first-visit.js, which are no modules,
// and the service worker use names of the list as well (Tests/Front/kept.test.js).

/**
 * @typedef {'local' | 'tab' | 'database' | 'cache'} Place `local`: localStorage; `tab`: sessionStorage
 * @typedef {'stays' | 'asked' | 'goes'} AtSignOut `asked`: the user decides before signing out
 */

/**
 * The names. One that ends with a point or a hyphen is the beginning of several.
 *
 * Signing out deletes all data about the account and all traces of what its user has read. It keeps settings of the
 * browser, and what belongs to visitors without an account unless the user decides otherwise. «Delete what this browser
 * keeps» deletes everything except the public files of the program (`isProgram`).
 * @type {Readonly<Record<string, {in: Place, signOut: AtSignOut, isProgram?: boolean}>>}
 */
export const KEPT = Object.freeze({
  'farol.language': { in: 'local', signOut: 'stays' },
  'farol.theme': { in: 'local', signOut: 'stays' },
  'farol.shortcuts': { in: 'local', signOut: 'stays' },
  'farol.met': { in: 'local', signOut: 'stays' },
  'farol.install': { in: 'local', signOut: 'stays' },
  'farol.look': { in: 'local', signOut: 'goes' },
  'farol.view': { in: 'local', signOut: 'goes' },
  'farol.places': { in: 'local', signOut: 'goes' },
  'farol.signed-in': { in: 'local', signOut: 'goes' },
  'farol.drafts': { in: 'local', signOut: 'asked' },
  'farol.visits': { in: 'local', signOut: 'goes' },
  'farol.walk': { in: 'local', signOut: 'asked' },
  'farol.choices': { in: 'local', signOut: 'asked' },
  'farol.choices.due': { in: 'local', signOut: 'asked' },
  'farol.watches': { in: 'local', signOut: 'asked' },
  'farol.watches.notify': { in: 'local', signOut: 'asked' },
  'farol.diary': { in: 'local', signOut: 'asked' },
  'farol.decoys': { in: 'local', signOut: 'stays' },
  'farol.mapping': { in: 'tab', signOut: 'goes' },
  'farol.later': { in: 'tab', signOut: 'stays' },
  'farol.typed': { in: 'tab', signOut: 'goes' },
  'farol.token.': { in: 'tab', signOut: 'stays' }, // of a mailed link, perhaps for another account
  'farol-drafts': { in: 'database', signOut: 'asked' },
  'farol-walk': { in: 'database', signOut: 'asked' },
  'farol-ledger': { in: 'database', signOut: 'asked' },
  'farol-watches': { in: 'database', signOut: 'asked' },
  'farol-diary': { in: 'database', signOut: 'asked' },
  'farol-edits': { in: 'database', signOut: 'goes' },
  'farol-shell-': { in: 'cache', signOut: 'stays', isProgram: true },
  'farol-words-': { in: 'cache', signOut: 'stays' },
  'farol-pages-': { in: 'cache', signOut: 'goes' },
  'farol-tiles-': { in: 'cache', signOut: 'goes' },
  'farol-devices-': { in: 'cache', signOut: 'goes' },
  'farol-answers-': { in: 'cache', signOut: 'goes' },
});

/** All names of the list begin so, and no other script of the origin uses such a name. */
const FAROL = /^farol[.-]/;

/** @param {string} name @param {Place[]} places */
function check(name, ...places) {
  if (!places.includes(KEPT[name]?.in)) throw new Error(`${name} is not in the list of what a browser keeps`);
}

/**
 * A text in this browser or this tab. Its functions throw if the browser refuses storage.
 * @param {string} name of the list @param {string} [more] the rest of a name that is a beginning
 */
export function item(name, more = '') {
  check(name, 'local', 'tab');
  const storage = () => (KEPT[name].in === 'local' ? localStorage : sessionStorage);
  return {
    get: () => storage().getItem(name + more),
    set: (/** @type {string} */ value) => storage().setItem(name + more, value),
    remove: () => storage().removeItem(name + more),
  };
}

/** @param {string} name of a database @throws {Error} if the list has no such database */
export function checkDatabase(name) { check(name, 'database'); }

/**
 * Whether this browser may hold a database, without opening it, which would create it.
 * @param {string} name of the list
 */
export async function mayHoldDatabase(name) {
  checkDatabase(name);
  const listed = await globalThis.indexedDB?.databases?.().catch(() => undefined);
  return listed?.some((one) => one.name === name) ?? true;
}

/** Deletes what signing out ends. */
export async function forgetAtSignOut() {
  await forget((name) => entry(name)?.signOut === 'goes');
}

/** Deletes everything except the files of the program, also data that an earlier version stored under another name. */
export async function forgetAll() {
  await forget((name) => !entry(name)?.isProgram);
}

/** @param {string} name a full name, such as the name of a cache */
function entry(name) {
  return KEPT[name] ?? Object.entries(KEPT).find(([one]) => /[.-]$/.test(one) && name.startsWith(one))?.[1];
}

/** @param {(name: string) => boolean} isGoing */
async function forget(isGoing) {
  const goes = (/** @type {string} */ name) => FAROL.test(name) && isGoing(name);
  for (const storage of [() => localStorage, () => sessionStorage]) forgetIn(storage, goes);
  await Promise.all([forgetDatabases(goes), forgetCaches(goes)]);
  // The counts have changed: marks of drafts and watches are drawn again.
  for (const name of ['farol-drafts', 'farol-watches']) globalThis.dispatchEvent?.(new Event(name));
}

/** @param {() => Storage} storage @param {(name: string) => boolean} goes */
function forgetIn(storage, goes) {
  try {
    for (const name of Object.keys(storage()).filter(goes)) storage().removeItem(name);
  } catch {
    // The browser refuses storage, so it holds nothing.
  }
}

/** @param {(name: string) => boolean} goes */
async function forgetDatabases(goes) {
  if (!('indexedDB' in globalThis)) return;
  // Older browsers do not list their databases: they get the names of the list.
  const listed = await indexedDB.databases?.().catch(() => undefined);
  const names = listed ? listed.map(({ name }) => name ?? '') : Object.keys(KEPT).filter((name) => (
    KEPT[name].in === 'database'));
  await Promise.all(names.filter(goes).map((name) => new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = resolve;
    request.onerror = resolve; // The browser refuses storage.
    request.onblocked = resolve; // A tab of an older version holds it; it is deleted when that tab closes.
  })));
}

/** @param {(name: string) => boolean} goes */
async function forgetCaches(goes) {
  if (!('caches' in globalThis)) return;
  const names = await caches.keys().catch(() => /** @type {string[]} */ ([]));
  await Promise.all(names.filter(goes).map((name) => caches.delete(name)));
}
