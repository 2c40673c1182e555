// @ts-check
// All requests to the server. Only this file calls `fetch`. It detects outages and notices when the server
// is reachable again.

import { fileAddress } from './files.js';
import { given } from './given.js';
import { language } from './i18n.js';

/** @typedef {import('./types').Problem} Problem */

/** The server refused a request. */
export class Refusal extends Error {
  /** @param {number} status @param {Problem} problem @param {Headers} [headers] */
  constructor(status, problem, headers) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
    this.status = status;
    this.problem = problem;
    this.headers = headers ?? new Headers();
  }

  /** The last part of the problem's type, such as «unconfirmed»; empty for a general problem. */
  get kind() {
    const { type } = this.problem;
    return type?.startsWith('/problems/') ? type.slice('/problems/'.length) : '';
  }

  /** Seconds to wait before the next attempt; null if the server does not say. */
  get retryAfter() { return Number(this.headers.get('Retry-After')) || null; }
}

/** The server is unreachable or temporarily unable to respond. The message is the server's, or empty. */
export class Outage extends Error {
  name = 'Outage';
}

/**
 * Provides the token that proves that a request comes from a page of this site. session.js implements it.
 * @typedef {object} Keeper
 * @property {() => Promise<string | null>} token for `X-CSRF-Token`; null without a session
 * @property {() => Promise<string | null>} renewed a new token from the server
 * @property {() => void} doubted called when the server does not recognise the session
 */

/** @type {Keeper} */
let keeper = { token: async () => null, renewed: async () => null, doubted() {} };

/** @param {Keeper} given */
export function keepSession(given) { keeper = given; }

/** @type {RequestCredentials} */
let credentials = 'same-origin';

/** From now on, requests contain no cookie. For a page in a frame on another site. */
export function omitCookies() { credentials = 'omit'; }

/** @typedef {'fine' | 'outage' | 'saved'} Reach 'saved': the server is unreachable, but saved data are shown */

const SHORTEST = 2_000; // milliseconds between two probes of the server
const LONGEST = 30_000;
const CALM = 60_000; // milliseconds without an outage after which the pause is short again
const PATIENCE = 20_000; // milliseconds until a request times out
const PATIENCE_WITH_FILES = 180_000; // the same for uploads of photos on slow lines

/**
 * The static methods of AbortSignal, which TypeScript 4.8 does not know. Browsers of 2023 lack `any`.
 * @typedef {object} SignalFactory
 * @property {(milliseconds: number) => AbortSignal} timeout
 * @property {(signals: AbortSignal[]) => AbortSignal} [any]
 */

/** @type {Reach} */
let reach = 'fine';
let pause = SHORTEST;
let recoveredAt = 0; // `performance.now()`
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {((reach: Reach) => void)[]} */
const listeners = [];
/** @type {(() => void)[]} */
const recoveries = [];
/** @type {(() => void)[]} resolved at the next recovery */
const waiting = [];

export const connection = {
  /** @returns {Reach} */
  get reach() { return reach; },
  /**
   * Adds a listener for the beginning and the end of outages.
   * @param {(reach: Reach) => void} listener
   */
  onChange(listener) { listeners.push(listener); },
  /**
   * Adds a listener for the end of outages, to repeat failed requests.
   * @param {() => void} listener
   */
  onRecovery(listener) { recoveries.push(listener); },
  /**
   * Resolves at the end of the current outage.
   * @returns {Promise<void>}
   */
  recovered() { return new Promise((resolve) => { waiting.push(resolve); }); },
  /** Reports an outage that another loader (of map tiles) noticed. */
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
 * A signal that aborts after a time limit, or together with another signal.
 * @param {AbortSignal} [signal] @param {number} [limit] milliseconds
 * @returns {AbortSignal}
 */
function patience(signal, limit = PATIENCE) {
  const signals = /** @type {SignalFactory} */ (/** @type {unknown} */ (AbortSignal));
  const slow = signals.timeout(limit);
  return signal && signals.any ? signals.any([signal, slow]) : signal ?? slow;
}

async function probe() {
  clearTimeout(timer);
  timer = undefined;
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', credentials, signal: patience() });
    if (!answer.ok) throw new Outage();
    recoveredAt = performance.now();
    become('fine');
    for (const listener of [...recoveries, ...waiting.splice(0)]) listener();
  } catch {
    fail();
  }
}

// From early.js.
addEventListener('server-missing', fail);
addEventListener('online', () => { if (reach !== 'fine') probe(); });
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && reach !== 'fine') probe();
});

/** Probes the server now instead of after the pause. */
export function retryNow() {
  pause = SHORTEST;
  probe();
}

/**
 * Requests JSON, in the user's language.
 * @param {string} path with its query
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 * @throws {Refusal | Outage} or the reason of an abort
 */
export async function getJSON(path, options = {}) {
  return (await getAnswer(path, options)).body;
}

/**
 * Requests JSON with its headers, such as the entity tag that a change must name.
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
 * Requests JSON without cookie, language and referrer, so that the request says nothing about the user.
 * @param {string} path
 * @param {boolean} [isFresh] whether caches must ask the server
 * @returns {Promise<Answer>}
 * @throws {Refusal | Outage}
 */
export async function getUnnamed(path, isFresh = false) {
  const answer = await reached(path, {
    headers: { Accept: 'application/json' }, credentials: 'omit', referrerPolicy: 'no-referrer',
    cache: isFresh ? 'no-cache' : 'default', signal: patience(),
  });
  if (!answer.ok) await refuse(answer);
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

/**
 * Downloads a file.
 * @param {string} path
 * @returns {Promise<{blob: Blob, name: string | null}>} the name is the server's
 * @throws {Refusal | Outage}
 */
export async function getFile(path) {
  const signal = patience(undefined, PATIENCE_WITH_FILES);
  const answer = await reached(path, { headers: { ...spoken(), Accept: '*/*' }, signal });
  if (!answer.ok) await refuse(answer);
  const name = /filename="([^"\\/]+)"/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1] ?? null;
  return { blob: await answer.blob(), name };
}

/**
 * Downloads a large file without a time limit and reports each part of it.
 * @param {string} path
 * @param {{signal: AbortSignal, started: (headers: Headers) => (piece: Uint8Array) => void}} options `started`
 *   receives the headers and returns the function that receives the parts
 * @returns {Promise<{blob: Blob, name: string | null}>} the name is the server's
 * @throws {Refusal | Outage} or the reason of an abort
 */
export async function getStream(path, { signal, started }) {
  const answer = await reached(path, { headers: { ...spoken(), Accept: '*/*' }, signal }, signal);
  if (!answer.ok || !answer.body) return refuse(answer);
  const arrived = started(answer.headers);
  const name = /filename="([^"\\/]+)"/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1] ?? null;
  /** @type {BlobPart[]} */
  const pieces = [];
  const reader = answer.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(/** @type {BlobPart} */ (value));
      arrived(value);
    }
  } catch (error) {
    // An incomplete file is useless. The server closes the connection if it cannot finish a file.
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
 * Sends a request and returns the response with any status.
 * @param {string} path @param {RequestInit} request @param {AbortSignal} [signal] of the caller
 * @param {(share: number) => void} [progress]
 */
async function reached(path, request, signal, progress) {
  try {
    return await (progress ? uploaded(path, request, progress) : fetch(path, { credentials, ...request }));
  } catch (error) {
    if (signal?.aborted) throw error;
    fail();
    throw new Outage();
  }
}

/**
 * Like `fetch`, which cannot report the progress of an upload.
 * @param {string} path @param {RequestInit} request @param {(share: number) => void} progress
 * @returns {Promise<Response>}
 */
function uploaded(path, { method = 'POST', headers, body, signal }, progress) {
  return new Promise((resolve, reject) => {
    const asking = new XMLHttpRequest();
    const stop = () => asking.abort();
    asking.open(method, path);
    for (const [name, value] of Object.entries(headers ?? {})) asking.setRequestHeader(name, value);
    asking.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total) progress(loaded / total);
    };
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

/** @typedef {{status: number, headers: Headers, body: any}} Answer `body` is null for an empty response */
/**
 * @typedef {object} Sending
 * @property {unknown} [json] a body of JSON
 * @property {FormData} [form] a body with files
 * @property {Record<string, string>} [headers] such as `If-Match`, or another `Content-Type` for `json`
 * @property {AbortSignal} [signal]
 * @property {(share: number) => void} [progress] called with the share of the body that was sent, 0 to 1
 */

/**
 * Sends a change, in the name of the signed-in account if there is one.
 *
 * Repeats the request only if the CSRF token was too old.
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

/** @param {Response} answer with an error status @returns {Promise<never>} */
async function refuse(answer) {
  const problem = await problemOf(answer);
  // With a reason, the server itself is reachable, and probing it would end the outage at once.
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
 * A static file of this site.
 * @param {string} path such as «locale/en.json»
 * @returns {Promise<any>}
 */
export async function getAsset(path) {
  const address = fileAddress(path);
  const known = given(new URL(address, location.href).pathname);
  if (known) return known;
  const answer = await fetch(address, { credentials });
  if (!answer.ok) throw new Outage();
  return path.endsWith('.json') ? answer.json() : answer.text();
}

/** @param {unknown} error */
export function isAbort(error) {
  return error instanceof DOMException && error.name === 'AbortError';
}

/**
 * Runs one request at a time: a new request aborts the previous one.
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

/**
 * Requests an address so that the service worker stores the response. A failure does not matter.
 * @param {string} address
 * @param {boolean} isTile a cached response is found only by a request with the same headers: the map sends none
 */
export async function requestToStore(address, isTile) {
  try {
    await (await fetch(address, isTile ? {} : { headers: spoken() })).arrayBuffer();
  } catch {
    // The next visit stores it.
  }
}

/**
 * Opens a stream of Server-Sent Events.
 * @param {string} path
 */
export function openStream(path) { return new EventSource(path); }
