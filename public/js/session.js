// @ts-check
// The session, shared by all tabs. A visitor who never signed in causes no request.

import { connection, getJSON, keepSession, Outage, Refusal, send } from './api.js';
import { forgetAtSignOut, item } from './storage/kept.js';

/** @typedef {import('./types').Account} Account */
/** @typedef {import('./types').SessionResponse} SessionResponse */
/** @typedef {{account: Account, csrf: string}} Session */
/** @typedef {(session: Session | null) => void} Listener */

// Notes that an account signed in here, but not which.
const HINT = 'farol.signed-in';
const FRESH = 60_000; // milliseconds; an older response is requested again when the page becomes visible

/** @type {Session | null} */
let current = null;
/** @type {Promise<Session | null> | undefined} */
let asking;
let askedAt = -Infinity;
let isKnown = false;
/** @type {Set<Listener>} */
const listeners = new Set();
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('farol.session') : null;

/** The session as known at this moment; null without a session and before the first response. */
export function session() {
  return current;
}

/** Whether there is, or may be, a session. */
export function maybeSignedIn() {
  return current !== null || (!isKnown && isHinted());
}

/**
 * The session, as soon as it is known. Waits until the end of an outage.
 * @returns {Promise<Session | null>}
 */
export async function whenSession() {
  for (;;) {
    try {
      return await known();
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      await connection.recovered();
    }
  }
}

/**
 * Adds a listener for signing in, signing out and changes of the account, here or in another tab.
 * @param {Listener} listener
 * @returns {() => void} removes the listener
 */
export function onSession(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * @param {{login: string, password: string, code?: string}} proof
 * @returns {Promise<Session>}
 * @throws {Refusal | Outage}
 */
export async function signIn(proof) {
  /** @type {{body: SessionResponse}} */
  const { body } = await send('POST', '/api/session', { json: proof });
  const found = { account: body.account, csrf: body.csrf_token };
  become(found);
  tell();
  return found;
}

/** @throws {Outage} if the server was unreachable; the session continues */
export async function signOut() {
  try {
    await send('DELETE', '/api/session');
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error;
  }
  await sessionEnded();
}

/**
 * The user has ended the session, by signing out or by deleting the account. Deletes what this browser keeps about the
 * account.
 */
export async function sessionEnded() {
  await forgetAtSignOut(); // before pages hear of it, because some reload
  become(null);
  tell();
}

/**
 * Requests the session again after a change of the account.
 * @returns {Promise<Session | null>}
 * @throws {Outage}
 */
export async function refreshSession() {
  const before = JSON.stringify(current);
  const found = await ask();
  if (JSON.stringify(found) !== before) tell();
  return found;
}

/** The session, requested at most once and only if there may be one. @returns {Promise<Session | null>} */
async function known() {
  if (isKnown) return current;
  if (!isHinted()) {
    isKnown = true;
    return null;
  }
  return ask();
}

/** @returns {Promise<Session | null>} */
function ask() {
  asking ??= answered().finally(() => { asking = undefined; });
  return asking;
}

/** @returns {Promise<Session | null>} */
async function answered() {
  try {
    /** @type {SessionResponse} */
    const body = await getJSON('/api/session');
    become({ account: body.account, csrf: body.csrf_token });
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error;
    become(null);
  }
  return current;
}

/** @param {Session | null} next */
function become(next) {
  const isNews = !isKnown || JSON.stringify(next) !== JSON.stringify(current);
  current = next;
  isKnown = true;
  askedAt = performance.now();
  hint(next !== null);
  if (isNews) for (const listener of [...listeners]) listener(current);
}

function isHinted() {
  try {
    return item(HINT).get() !== null;
  } catch {
    return true; // The browser refuses storage: only the server knows.
  }
}

/** @param {boolean} isSignedIn */
function hint(isSignedIn) {
  try {
    if (isSignedIn) item(HINT).set('1');
    else item(HINT).remove();
  } catch {
    // The browser refuses storage: every page requests the session.
  }
}

/** Makes other tabs request the session again. */
function tell() {
  tabs?.postMessage(current ? 'changed' : 'signed out');
}

function lookAgain() {
  ask().catch(() => {}); // An outage changes nothing.
}

tabs?.addEventListener('message', ({ data }) => {
  if (data === 'signed out') become(null);
  else lookAgain();
});

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible' || !isHinted()) return;
  if (!isKnown || performance.now() - askedAt > FRESH) lookAgain();
});

keepSession({
  token: async () => (await known())?.csrf ?? null,
  renewed: async () => (await ask())?.csrf ?? null,
  doubted: () => { if (current) lookAgain(); },
});
