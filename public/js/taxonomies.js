// @ts-check
// The vocabulary that describes devices, in the user's language.

import { getJSON, Refusal } from './api.js';
import { familyOfData } from './families.js';
import { given } from './given.js';
import { language, translate, has } from './i18n.js';

/** @typedef {import('./types').Term} Term */

/** @type {Map<string, Promise<Map<string, Term>>>} */
const schemes = new Map();
/** @type {Map<string, Map<string, Term>>} */
const loaded = new Map();

/**
 * All terms of a scheme, in order. Empty if the server has no such scheme.
 * @param {string} name
 * @returns {Promise<Map<string, Term>>}
 */
export function scheme(name) {
  const known = schemes.get(name);
  if (known) return known;
  const path = `/api/taxonomies/${name}?lang=${language()}`;
  const asked = Promise.resolve(given(path) ?? getJSON(path)).then(
    (/** @type {import('./types').Taxonomy} */ answer) => new Map(answer.terms.map((term) => [term.code, term])),
    (error) => {
      if (error instanceof Refusal && error.status === 404) return new Map();
      schemes.delete(name);
      throw error;
    },
  ).then((terms) => {
    loaded.set(name, terms);
    return terms;
  });
  schemes.set(name, asked);
  return asked;
}

/**
 * A term of a loaded scheme, or undefined.
 * @param {string} name @param {string} code
 */
export function term(name, code) {
  return loaded.get(name)?.get(code);
}

/**
 * All terms of a loaded scheme, or undefined.
 * @param {string} name
 */
export function allTerms(name) {
  return loaded.get(name);
}

/**
 * The label of a code: of its term, otherwise of the catalogue, otherwise the code with spaces.
 * @param {string} name scheme @param {string} code
 */
export function label(name, code) {
  const key = `${name}.${code}`;
  return term(name, code)?.label ?? (has(key) ? translate(key) : code.replace(/_/g, ' '));
}

/**
 * The file name of a category's symbol.
 * @param {string} code
 */
export function categoryIcon(code) {
  const named = term('categories', code)?.icon;
  return named && /^[a-z0-9-]+$/.test(named) ? named : 'other';
}

/**
 * The family of a category, which determines its colour; `other` until the categories are loaded.
 * @param {string} code
 */
export function familyOf(code) {
  return familyOfData(term('categories', code)?.collects ?? []);
}
