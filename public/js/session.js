// @ts-check
// Who is signed in, the same in every tab. A visitor who never signed in causes no request at all.

import { connection, getJSON, keepSession, Outage, Refusal, send } from './api.js';

/**
 * @typedef {object} Account
 * @property {string} id
 * @property {string} username
 * @property {string} email
 * @property {string} locale
 * @property {'contributor' | 'operator' | 'moderator' | 'admin'} role
 * @property {boolean} confirmed
 * @property {{until: string | null, reason: string | null} | null} suspended
 * @property {{enabled: boolean, required: boolean, recovery_codes_left: number}} second_factor
 * @property {boolean} new
 * @property {string} created_at
 * @property {string | null} pending_email
 * @property {boolean} [data_requests] whether others may ask for one's records
 */
/** @typedef {{account: Account, csrf: string}} Session */
/** @typedef {(session: Session | null) => void} Listener */

// Says that somebody signed in here, not who.
const HINT = 'farol.signed-in';
const FRESH = 60_000; // milliseconds for which an answer is believed when the page gets the focus again

/** @type {Session | null} */
let current = null;
/** @type {Promise<Session | null> | undefined} */
let asking;
let askedAt = -Infinity;
let isKnown = false;
/** @type {Set<Listener>} */
const listeners = new Set();
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('farol.session') : null;

/** Who is signed in as far as is known by now; null also while nobody has asked yet. */
export function session() {
  return current;
}

/** Whether somebody is, or may well be, signed in. */
export function maybeSignedIn() {
  return current !== null || (!isKnown && isHinted());
}

/**
 * Who is signed in, once that is known; waits out an outage.
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
 * Called whenever somebody signs in or out, here or in another tab, or their account changes.
 * @param {Listener} listener
 * @returns {() => void} ends it
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
  const { body } = await send('POST', '/api/session', { json: proof });
  const found = { account: body.account, csrf: body.csrf_token };
  become(found);
  tell();
  return found;
}

/** @throws {Outage} when the server did not hear of it: the session goes on */
export async function signOut() {
  try {
    await send('DELETE', '/api/session');
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error;
  }
  sessionEnded();
}

/** The account is gone, and every session of it. */
export function sessionEnded() {
  become(null);
  tell();
}

/**
 * Asks again, because the account changed.
 * @returns {Promise<Session | null>}
 * @throws {Outage}
 */
export async function refreshSession() {
  const before = JSON.stringify(current);
  const found = await ask();
  if (JSON.stringify(found) !== before) tell();
  return found;
}

/** The answer of now, asked for once and only if there is reason to. @returns {Promise<Session | null>} */
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
    return localStorage.getItem(HINT) !== null;
  } catch {
    return true; // storage refused: only the server can know
  }
}

/** @param {boolean} isSignedIn */
function hint(isSignedIn) {
  try {
    if (isSignedIn) localStorage.setItem(HINT, '1');
    else localStorage.removeItem(HINT);
  } catch {
    // storage refused: the server is asked on every page
  }
}

/** Other tabs look again. */
function tell() {
  tabs?.postMessage(current ? 'changed' : 'signed out');
}

function lookAgain() {
  ask().catch(() => {}); // out of reach: what was known stands
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
