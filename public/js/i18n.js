// @ts-check
// The words of the page in the reader's language, from the one catalogue that mails and errors use too.

import { formatNumber, locale } from './format.js';

/** @typedef {Record<string, string | number>} Values */

const KEPT = 'farol.language';
const LANGUAGES = ['en', 'pt'];

/** @type {Record<string, string>} */
let catalogue = {};
let current = 'en';

/** The language in use: `en` or `pt`. */
export function language() {
  return current;
}

/** What the reader chose, then what the server read from the browser. */
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
    return localStorage.getItem(KEPT);
  } catch {
    return null; // storage refused: the choice lasts for this page
  }
}

/**
 * Loads the catalogue and says the fixed words of the page.
 * @param {(path: string) => Promise<Record<string, string>>} load
 */
export async function startLanguage(load) {
  current = wanted();
  document.documentElement.lang = current === 'pt' ? 'pt-PT' : 'en';
  catalogue = await load(`locale/${current}.json`);
  for (const element of document.querySelectorAll('[data-text]')) {
    element.textContent = translate(element.getAttribute('data-text') ?? '');
  }
  for (const element of document.querySelectorAll('[data-label]')) {
    element.setAttribute('aria-label', translate(element.getAttribute('data-label') ?? ''));
  }
}

/**
 * Keeps another language and shows the page in it.
 * @param {string} code
 */
export function chooseLanguage(code) {
  try {
    localStorage.setItem(KEPT, code);
  } catch {
    // storage refused: the address says it instead
  }
  const address = new URL(location.href);
  if (keptLanguage() === code) address.searchParams.delete('lang');
  else address.searchParams.set('lang', code);
  history.replaceState(history.state, '', address);
  location.reload();
}

/**
 * The sentence of a key, `{name}` replaced by its value; the key itself if there is none.
 * @param {string} key
 * @param {Values} [values]
 */
export function translate(key, values = {}) {
  const sentence = catalogue[key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * Whether the catalogue has a key.
 * @param {string} key
 */
export function has(key) {
  return key in catalogue;
}

/**
 * The sentence for a number of things: `key.one`, `key.other` as the language counts.
 * @param {string} key
 * @param {number} count
 * @param {Values} [values]
 */
export function plural(key, count, values = {}) {
  const rule = new Intl.PluralRules(locale(current)).select(count);
  const chosen = `${key}.${rule}` in catalogue ? `${key}.${rule}` : `${key}.other`;
  return translate(chosen, { count: formatNumber(count, current), ...values });
}
