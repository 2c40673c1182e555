// @ts-check
// Storage of choices: in the account, or for a visitor only in the browser. Pages use only this
// module.

import { getJSON, Refusal, send } from '../api.js';
import { session, whenSession } from '../session.js';
import { openBrowserLedger } from './browser-ledger.js';
import { todayHere } from './deadline.js';
import { asOf } from './ledger.js';
import { regionOf } from './options.js';

/** @typedef {import('./deadline.js').Rule} Rule */
/** @typedef {import('./ledger.js').Choice} Choice */
/** @typedef {import('./ledger.js').Told} Told */
/**
 * @typedef {Pick<Choice,
 *   'device' | 'kind' | 'right' | 'letter' | 'regime' | 'country' | 'language' | 'operator'> & {rule?: Rule}} Wish
 */
/** @typedef {{details?: Record<string, string>, language?: string, reminders?: boolean, reply_link?: boolean}} Patch */
/**
 * @typedef {object} Ledger
 * @property {'browser' | 'account'} place
 * @property {boolean} isLasting false: lost when the page closes
 * @property {() => Promise<Choice[]>} all the latest first
 * @property {(device: string) => Promise<Choice[]>} ofDevice
 * @property {(id: string) => Promise<Choice | null>} get
 * @property {(wish: Wish) => Promise<Choice>} add
 * @property {(id: string, patch: Patch) => Promise<Choice>} change
 * @property {(id: string, told: Told) => Promise<Choice>} tell records an event
 * @property {((id: string) => Promise<Choice>) | null} deliver sends the letter through Farol; null: requires an
 *   account
 * @property {(id: string) => Promise<void>} remove
 * @property {(choices: Choice[]) => Promise<{taken: number, refused: string[]}>} take imports choices of a file or of
 *   another ledger
 */

const MOST_PAGES = 50; // pages of choices in one account; far above real numbers
const AT_ONCE = 50; // choices moved per request

/** @type {Promise<import('./browser-ledger.js').BrowserLedger> | undefined} */
let opened;

/** The ledger in this browser. */
export function browserLedger() {
  opened ??= openBrowserLedger({ now: () => new Date(), ask: getJSON }, () => { opened = undefined; });
  return opened;
}

/** @param {string} id */
const address = (id) => `/api/choices/${encodeURIComponent(id)}`;
/** @param {Choice} choice */
const today = (choice) => asOf(choice, todayHere());

/** @implements {Ledger} */
class AccountLedger {
  /** @type {'account'} */
  place = 'account';
  isLasting = true;

  /** @returns {Promise<Choice[]>} */
  async all() {
    return this.list(new URLSearchParams());
  }

  /** @param {string} device */
  async ofDevice(device) {
    return this.list(new URLSearchParams({ device }));
  }

  /** @param {URLSearchParams} query @returns {Promise<Choice[]>} */
  async list(query) {
    /** @type {Choice[]} */
    const found = [];
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { choices, next } = await getJSON(`/api/choices?${query}`);
      found.push(...choices);
      if (!next) break;
      query.set('cursor', next);
    }
    return found.map(today);
  }

  /** @param {string} id */
  async get(id) {
    try {
      return today(await getJSON(address(id)));
    } catch (error) {
      if (error instanceof Refusal && [400, 404].includes(error.status)) return null;
      throw error;
    }
  }

  /** @param {Wish} wish */
  async add({ device, kind, language, country, regime }) {
    const region = regionOf(regime);
    return today((await send('POST', '/api/choices', {
      json: { device: device.id, kind, language, ...(country && { country }), ...(region && { region }) },
    })).body);
  }

  /** @param {string} id @param {Patch} patch */
  async change(id, patch) {
    return today((await send('PATCH', address(id), { json: patch })).body);
  }

  /** @param {string} id @param {Told} told */
  async tell(id, told) {
    const json = Object.fromEntries(Object.entries(told)
      .filter(([name, value]) => name !== 'by' && value !== null && value !== undefined));
    return today((await send('POST', `${address(id)}/events`, { json })).body);
  }

  /** @param {string} id @returns {Promise<Choice>} */
  async deliver(id) {
    return today((await send('POST', `${address(id)}/send`, { json: {} })).body);
  }

  /** @param {string} id */
  async remove(id) {
    await send('DELETE', address(id));
  }

  /** @param {Choice[]} choices */
  async take(choices) {
    let taken = 0;
    /** @type {string[]} */
    const refused = [];
    for (let from = 0; from < choices.length; from += AT_ONCE) {
      const { body } = await send('POST', '/api/choices/import', {
        json: { choices: choices.slice(from, from + AT_ONCE) },
      });
      taken += body?.imported?.length ?? 0;
      refused.push(...(body?.refused ?? []).map((/** @type {{id: string}} */ one) => one.id));
    }
    return { taken, refused };
  }
}

/**
 * The ledger for a new choice: the ledger of the account when signed in, otherwise the ledger of
 * the browser.
 * @returns {Promise<Ledger>}
 */
export async function ledger() {
  return session() ?? await whenSession() ? new AccountLedger() : browserLedger();
}

/**
 * Finds a choice in either ledger. A choice of the browser remains there until it is moved.
 * @param {string} id
 * @returns {Promise<{choice: Choice, ledger: Ledger} | null>}
 */
export async function findChoice(id) {
  const browser = await browserLedger();
  const own = await browser.get(id);
  if (own) return { choice: own, ledger: browser };
  if (!(session() ?? await whenSession())) return null;
  const account = new AccountLedger();
  const choice = await account.get(id);
  return choice && { choice, ledger: account };
}

/**
 * Moves the choices of this browser into the account. Choices that the account accepted are deleted
 * here. A choice whose device has been removed from the map is not accepted and remains.
 * @returns {Promise<number>} number of choices that remain
 */
export async function moveIntoAccount() {
  const browser = await browserLedger();
  const choices = await browser.all();
  if (!choices.length) return 0;
  const { refused } = await new AccountLedger().take(choices);
  for (const { id } of choices) if (!refused.includes(id)) await browser.remove(id);
  return refused.length;
}
