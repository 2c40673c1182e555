// @ts-check
// The texts of the page in the user's language. A page that names its own texts (`data-words-of`) starts with them,
// and gets all others before a later module needs them.

import { isBuilt } from './files.js';
import { formatNumber, locale } from './format.js';
import { item } from './storage/kept.js';

/** @typedef {Record<string, string | number>} Values */

const KEPT = 'farol.language';
const LANGUAGES = ['en', 'pt'];

/** @typedef {(path: string) => Promise<Record<string, string>>} Load */

/** @type {Record<string, string>} */
let catalogue = {};
/** @type {Load | null} loads the texts that are still missing; null if no text is missing */
let loadOthers = null;
/** @type {Promise<void> | null} */
let others = null;
let current = 'en';

/** The language in use: `en` or `pt`. */
export function language() {
  return current;
}

/** Determines the language of this page before its texts are loaded, for requests that precede them. */
export function expectLanguage() {
  current = wanted();
}

/** The language of the address, then the user's choice, then the language that the server read from the browser. */
function wanted() {
  const asked = new URLSearchParams(location.search).get('lang');
  const choices = [asked, keptLanguage(), document.documentElement.lang, ...navigator.languages];
  for (const choice of choices) {
    const code = (choice ?? '').slice(0, 2).toLowerCase();
    if (LANGUAGES.includes(code)) return code;
  }
  return 'en';
}

function keptLanguage() {
  try {
    return item(KEPT).get();
  } catch {
    return null; // The browser refuses storage: the choice ends with this page.
  }
}

/**
 * Loads the catalogue, or the part for this page, and fills the fixed texts of the page.
 * @param {Load} load
 */
export async function startLanguage(load) {
  expectLanguage();
  document.documentElement.lang = current === 'pt' ? 'pt-PT' : 'en';
  const part = document.documentElement.dataset.wordsOf;
  const own = part ? `words/${part}.${current}.json` : '';
  const hasOwn = own !== '' && isBuilt(own);
  loadOthers = hasOwn ? load : null;
  others = null;
  const words = await load(hasOwn ? own : `locale/${current}.json`);
  if (!hasOwn || loadOthers) catalogue = words; // A module may have asked for all words, which were faster.
  for (const element of document.querySelectorAll('[data-text]')) {
    element.textContent = translate(element.getAttribute('data-text') ?? '');
  }
  for (const element of document.querySelectorAll('[data-label]')) {
    element.setAttribute('aria-label', translate(element.getAttribute('data-label') ?? ''));
  }
  for (const element of document.querySelectorAll('[data-content]')) {
    element.setAttribute('content', translate(element.getAttribute('data-content') ?? ''));
  }
}

/** Loads the rest of the catalogue, once. A later call tries again if it failed. */
export function allWords() {
  if (!loadOthers) return Promise.resolve();
  others ??= loadOthers(`locale/${current}.json`).then((all) => {
    catalogue = all;
    loadOthers = null;
  }, (error) => {
    others = null;
    throw error;
  });
  return others;
}

/**
 * Stores the choice of a language and reloads the page in it.
 * @param {string} code
 */
export function chooseLanguage(code) {
  try {
    item(KEPT).set(code);
  } catch {
    // The browser refuses storage: the address names the language instead.
  }
  const address = new URL(location.href);
  if (keptLanguage() === code) address.searchParams.delete('lang');
  else address.searchParams.set('lang', code);
  history.replaceState(history.state, '', address);
  location.reload();
}

/**
 * The sentence of a key with each `{name}` replaced by its value. Returns the key if it is missing.
 * @param {string} key
 * @param {Values} [values]
 */
export function translate(key, values = {}) {
  const sentence = catalogue[key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * Whether the catalogue contains a key.
 * @param {string} key
 */
export function has(key) {
  return key in catalogue;
}

/**
 * The sentence for a count: `key.one` or `key.other`, by the plural rules of the language.
 * @param {string} key
 * @param {number} count
 * @param {Values} [values]
 */
export function plural(key, count, values = {}) {
  const rule = new Intl.PluralRules(locale(current)).select(count);
  const chosen = `${key}.${rule}` in catalogue ? `${key}.${rule}` : `${key}.other`;
  return translate(chosen, { count: formatNumber(count, current), ...values });
}
