// @ts-check
// The only file that calls fetch. It knows when the server cannot be reached, and when it can again.

import { language } from './i18n.js';

/** @typedef {{type?: string, title?: string, status: number, detail?: string, errors?: {field: string, detail: string}[], [extra: string]: any}} Problem */

/** The server answered, and refused. */
export class Refusal extends Error {
  /** @param {number} status @param {Problem} problem @param {Headers} [headers] */
  constructor(status, problem, headers) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
    this.status = status;
    this.problem = problem;
    this.headers = headers ?? new Headers();
  }

  /** The last word of the problem's type, such as «unconfirmed»; empty where it has none of its own. */
  get kind() { return this.problem.type?.startsWith('/problems/') ? this.problem.type.slice('/problems/'.length) : ''; }

  /** Seconds to wait before asking again is worth it; null where the server does not say. */
  get retryAfter() { return Number(this.headers.get('Retry-After')) || null; }
}

/** The server could not be reached, or cannot answer just now; the message is its own, if it said one. */
export class Outage extends Error {}

/**
 * What proves that a request comes from a page of ours; session.js has it.
 * @typedef {object} Keeper
 * @property {() => Promise<string | null>} token for `X-CSRF-Token`; null when nobody is signed in
 * @property {() => Promise<string | null>} renewed the token, asked for anew
 * @property {() => void} doubted told that the server took somebody for nobody
 */

/** @type {Keeper} */
let keeper = { token: async () => null, renewed: async () => null, doubted() {} };

/** @param {Keeper} given */
export function keepSession(given) { keeper = given; }

/** @typedef {'fine' | 'outage' | 'saved'} Reach 'saved': out of reach, but saved data are shown */

const SHORTEST = 2_000; // milliseconds before the server is asked again
const LONGEST = 30_000;
const CALM = 60_000; // after this long without trouble, waiting starts anew
const PATIENCE = 20_000; // how long one answer may take
const PATIENCE_WITH_FILES = 180_000; // and one to a photo over a slow line

/** @type {Reach} */
let reach = 'fine';
let pause = SHORTEST;
let recoveredAt = 0; // milliseconds of the page's clock
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {((reach: Reach) => void)[]} */
const listeners = [];
/** @type {(() => void)[]} */
const recoveries = [];
/** @type {(() => void)[]} those who wait for one recovery only */
const waiting = [];

export const connection = {
  /** @returns {Reach} */
  get reach() { return reach; },
  /**
   * Called whenever the server comes into or out of reach.
   * @param {(reach: Reach) => void} listener
   */
  onChange(listener) { listeners.push(listener); },
  /**
   * Called when it can be reached again: ask anew what failed.
   * @param {() => void} listener
   */
  onRecovery(listener) { recoveries.push(listener); },
  /**
   * The next time that it can be reached again.
   * @returns {Promise<void>}
   */
  recovered() { return new Promise((resolve) => { waiting.push(resolve); }); },
  /** Something else (a tile) found the server out of reach. */
  reportOutage() { fail(); },
};

/** @param {Reach} next */
function become(next) {
  if (next === reach) return;
  reach = next;
  for (const listener of listeners) listener(next);
}

function fail() {
  if (reach === 'fine') {
    if (performance.now() - recoveredAt > CALM) pause = SHORTEST;
    become('outage');
  }
  if (timer === undefined) {
    timer = setTimeout(probe, pause);
    pause = Math.min(LONGEST, pause * 1.6);
  }
}

/**
 * Stops what takes too long, or what is no longer wanted.
 * @param {AbortSignal} [signal] @param {number} [most] milliseconds
 * @returns {AbortSignal}
 */
function patience(signal, most = PATIENCE) {
  const slow = /** @type {any} */ (AbortSignal).timeout(most);
  return signal && 'any' in AbortSignal ? /** @type {any} */ (AbortSignal).any([signal, slow]) : signal ?? slow;
}

async function probe() {
  clearTimeout(timer);
  timer = undefined;
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', signal: patience() });
    if (!answer.ok) throw new Outage();
    recoveredAt = performance.now();
    become('fine');
    for (const listener of [...recoveries, ...waiting.splice(0)]) listener();
  } catch {
    fail();
  }
}

addEventListener('online', () => { if (reach !== 'fine') probe(); });
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && reach !== 'fine') probe();
});

/** Asks again now instead of waiting. */
export function retryNow() {
  pause = SHORTEST;
  probe();
}

/**
 * A JSON answer of the interface, in the reader's language.
 * @param {string} path with its query
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 * @throws {Refusal | Outage} or the reason of an abort
 */
export async function getJSON(path, options = {}) {
  return (await getAnswer(path, options)).body;
}

/**
 * The same with its headers, such as the version that a change is made to.
 * @param {string} path
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<Answer>}
 * @throws {Refusal | Outage} or the reason of an abort
 */
export async function getAnswer(path, options = {}) {
  const answer = await ask(path, options.signal);
  if (answer.headers.get('X-Farol-Saved')) {
    become('saved');
    fail();
  }
  if (answer.ok) return { status: answer.status, headers: answer.headers, body: await answer.json() };
  if (answer.status === 401 && path !== '/api/session') keeper.doubted();
  throw new Refusal(answer.status, await problemOf(answer), answer.headers);
}

/**
 * A file for one person, to be kept by them.
 * @param {string} path
 * @returns {Promise<{blob: Blob, name: string | null}>} the name is the server's
 * @throws {Refusal | Outage}
 */
export async function getFile(path) {
  const answer = await reached(path, { headers: { ...spoken(), Accept: '*/*' }, signal: patience(undefined, PATIENCE_WITH_FILES) });
  if (!answer.ok) await refuse(answer);
  const name = /filename="([^"\\/]+)"/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1] ?? null;
  return { blob: await answer.blob(), name };
}

/**
 * A file that may be long, told piece by piece while it comes. It may take as long as it needs.
 * @param {string} path
 * @param {{signal: AbortSignal, started: (headers: Headers) => (piece: Uint8Array) => void}} options `started` is told the
 *   headers and gives what is told the pieces
 * @returns {Promise<{blob: Blob, name: string | null}>} the name is the server's
 * @throws {Refusal | Outage} or the reason of an abort
 */
export async function getStream(path, { signal, started }) {
  const answer = await reached(path, { headers: { ...spoken(), Accept: '*/*' }, signal }, signal);
  if (!answer.ok || !answer.body) return refuse(answer);
  const told = started(answer.headers);
  const name = /filename="([^"\\/]+)"/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1] ?? null;
  /** @type {BlobPart[]} */
  const pieces = [];
  const reader = answer.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(/** @type {BlobPart} */ (value));
      told(value);
    }
  } catch (error) {
    // A file that breaks off is none: the server cuts the connection rather than end it well.
    if (signal.aborted) throw error;
    throw new Outage();
  }
  return { blob: new Blob(pieces, { type: answer.headers.get('Content-Type') ?? '' }), name };
}

/** @param {string} path @param {AbortSignal} [signal] @param {boolean} [again] @returns {Promise<Response>} */
async function ask(path, signal, again = true) {
  const answer = await reached(path, { headers: spoken(), signal: patience(signal) }, signal);
  if (answer.status === 429 && again) {
    const seconds = Math.min(10, Number(answer.headers.get('Retry-After')) || 2);
    await new Promise((resolve) => { setTimeout(resolve, seconds * 1_000); });
    return ask(path, signal, false);
  }
  if ([502, 503, 504].includes(answer.status)) {
    fail();
    throw new Outage();
  }
  return answer;
}

/**
 * An answer, whatever it says.
 * @param {string} path @param {RequestInit} request @param {AbortSignal} [signal] of whoever asks
 * @param {(share: number) => void} [progress]
 */
async function reached(path, request, signal, progress) {
  try {
    return await (progress ? uploaded(path, request, progress) : fetch(path, request));
  } catch (error) {
    if (signal?.aborted) throw error;
    fail();
    throw new Outage();
  }
}

/**
 * The same as fetch, which does not tell how much of a body has gone.
 * @param {string} path @param {RequestInit} request @param {(share: number) => void} progress
 * @returns {Promise<Response>}
 */
function uploaded(path, { method = 'POST', headers, body, signal }, progress) {
  return new Promise((resolve, reject) => {
    const asking = new XMLHttpRequest();
    const stop = () => asking.abort();
    asking.open(method, path);
    for (const [name, value] of Object.entries(headers ?? {})) asking.setRequestHeader(name, value);
    asking.upload.onprogress = ({ lengthComputable, loaded, total }) => { if (lengthComputable && total) progress(loaded / total); };
    asking.onload = () => {
      const given = new Headers();
      for (const line of asking.getAllResponseHeaders().trim().split(/\r?\n/)) {
        const at = line.indexOf(':');
        if (at > 0) given.append(line.slice(0, at), line.slice(at + 1).trim());
      }
      const isEmpty = [204, 205, 304].includes(asking.status);
      resolve(new Response(isEmpty ? null : asking.responseText, { status: asking.status, headers: given }));
    };
    asking.onerror = () => reject(new TypeError('The server could not be reached'));
    asking.onabort = () => reject(signal?.reason ?? new DOMException('Stopped', 'AbortError'));
    asking.onloadend = () => signal?.removeEventListener('abort', stop);
    signal?.addEventListener('abort', stop);
    asking.send(/** @type {XMLHttpRequestBodyInit} */ (body ?? null));
  });
}

/** @returns {Record<string, string>} */
function spoken() {
  return { Accept: 'application/json', 'Accept-Language': language() === 'pt' ? 'pt-PT' : 'en' };
}

/** @typedef {{status: number, headers: Headers, body: any}} Answer `body` is null where there is none */
/**
 * @typedef {object} Sending
 * @property {any} [json] a body of JSON
 * @property {FormData} [form] a body with files
 * @property {Record<string, string>} [headers] such as `If-Match`; a `Content-Type` of its own for `json`
 * @property {AbortSignal} [signal]
 * @property {(share: number) => void} [progress] told how much of the body is on its way, 0 to 1
 */

/**
 * Changes something, in the name of whoever is signed in.
 *
 * Nothing is sent twice, but for a token that had grown old.
 * @param {'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
 * @param {string} path
 * @param {Sending} [sending]
 * @returns {Promise<Answer>}
 * @throws {Refusal | Outage} or the reason of an abort
 */
export async function send(method, path, sending = {}) {
  try {
    return await deliver(method, path, sending, await keeper.token());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 401 && path !== '/api/session') keeper.doubted();
    if (error.kind !== 'csrf-token') throw error;
    const token = await keeper.renewed();
    if (!token) throw error;
    return deliver(method, path, sending, token);
  }
}

/**
 * @param {string} method @param {string} path @param {Sending} sending @param {string | null} token
 * @returns {Promise<Answer>}
 */
async function deliver(method, path, { json, form, headers = {}, signal, progress }, token) {
  const own = spoken();
  if (json !== undefined) own['Content-Type'] = 'application/json';
  if (token) own['X-CSRF-Token'] = token;
  const answer = await reached(path, {
    method,
    headers: { ...own, ...headers },
    body: json === undefined ? form : JSON.stringify(json),
    signal: patience(signal, form ? PATIENCE_WITH_FILES : PATIENCE),
  }, signal, progress);
  if (answer.ok) return { status: answer.status, headers: answer.headers, body: await bodyOf(answer) };
  return refuse(answer);
}

/** @param {Response} answer one that is no good @returns {Promise<never>} */
async function refuse(answer) {
  const problem = await problemOf(answer);
  // Reached, but unable: the server says why, and asking whether it is there would find that it is.
  if ([502, 503, 504].includes(answer.status)) {
    if (!problem.detail) fail();
    throw new Outage(problem.detail);
  }
  throw new Refusal(answer.status, problem, answer.headers);
}

/** @param {Response} answer */
async function bodyOf(answer) {
  const text = await answer.text();
  if (!text) return null;
  return /\bjson\b/.test(answer.headers.get('Content-Type') ?? '') ? JSON.parse(text) : text;
}

/** @param {Response} answer @returns {Promise<Problem>} */
async function problemOf(answer) {
  try {
    return { status: answer.status, ...(await answer.json()) };
  } catch {
    return { status: answer.status };
  }
}

/**
 * A file of the page itself, beside this one.
 * @param {string} path such as «locale/en.json»
 * @returns {Promise<any>}
 */
export async function getAsset(path) {
  const answer = await fetch(new URL(`../${path}`, import.meta.url));
  if (!answer.ok) throw new Outage();
  return path.endsWith('.json') ? answer.json() : answer.text();
}

/** @param {unknown} error */
export function isAbort(error) {
  return error instanceof DOMException && error.name === 'AbortError';
}

/**
 * Runs one request at a time: a newer one stops the older.
 * @returns {(path: string) => Promise<any>}
 */
export function latestOnly() {
  /** @type {AbortController | undefined} */
  let running;
  return (path) => {
    running?.abort();
    running = new AbortController();
    return getJSON(path, { signal: running.signal });
  };
}
