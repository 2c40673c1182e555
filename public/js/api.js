// @ts-check
// The only file that calls fetch. It knows when the server cannot be reached, and when it can again.

import { language } from './i18n.js';

/** @typedef {{type?: string, title?: string, status: number, detail?: string, errors?: {field: string, detail: string}[], [extra: string]: any}} Problem */

/** The server answered, and refused. */
export class Refusal extends Error {
  /** @param {number} status @param {Problem} problem */
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

/** The server could not be reached, or cannot answer just now. */
export class Outage extends Error {}

/** @typedef {'fine' | 'outage' | 'saved'} Reach 'saved': out of reach, but saved data are shown */

const SHORTEST = 2_000; // milliseconds before the server is asked again
const LONGEST = 30_000;
const CALM = 60_000; // after this long without trouble, waiting starts anew
const PATIENCE = 20_000; // how long one answer may take

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
 * Stops what takes too long.
 * @returns {AbortSignal}
 */
function patience() {
  return /** @type {any} */ (AbortSignal).timeout(PATIENCE);
}

async function probe() {
  clearTimeout(timer);
  timer = undefined;
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', signal: patience() });
    if (!answer.ok) throw new Outage();
    recoveredAt = performance.now();
    become('fine');
    for (const listener of recoveries) listener();
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
  const answer = await ask(path, options.signal);
  if (answer.headers.get('X-Farol-Saved')) {
    become('saved');
    fail();
  }
  if (answer.ok) return answer.json();
  throw new Refusal(answer.status, await problemOf(answer));
}

/** @param {string} path @param {AbortSignal} [signal] @param {boolean} [again] @returns {Promise<Response>} */
async function ask(path, signal, again = true) {
  const slow = patience();
  let answer;
  try {
    answer = await fetch(path, {
      headers: { Accept: 'application/json', 'Accept-Language': language() === 'pt' ? 'pt-PT' : 'en' },
      signal: signal && 'any' in AbortSignal ? /** @type {any} */ (AbortSignal).any([signal, slow]) : signal ?? slow,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    fail();
    throw new Outage();
  }
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
