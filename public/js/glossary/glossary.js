// @ts-check
// Functions for glossary terms: subjects, addresses and sources. Pure functions.

/** @typedef {import('../taxonomies.js').Term} Term */
/** @typedef {{title: string, url: string, language: string}} Source */

/**
 * Glossary terms by the subject that they explain, such as «data:plate» or «field:retention».
 * @param {Iterable<Term>} terms
 * @returns {Map<string, Term>}
 */
export function explanations(terms) {
  const found = new Map();
  for (const term of terms) {
    for (const subject of Array.isArray(term.see) ? term.see : []) if (!found.has(subject)) found.set(subject, term);
  }
  return found;
}

/**
 * The address of a term in the glossary.
 * @param {string} code
 */
export function termAddress(code) {
  return `/learn/glossary#term-${encodeURIComponent(code)}`;
}

/**
 * The page of a kind of device.
 * @param {string} code
 */
export function kindAddress(code) {
  return `/learn/${encodeURIComponent(code)}`;
}

/**
 * The source of a definition, with the language of its title; null if the term has no valid source.
 * @param {Term | undefined} term @param {string} language the reader’s language
 * @returns {Source | null}
 */
export function sourceOf(term, language) {
  const [first] = term && Array.isArray(term.sources) ? term.sources : [];
  if (typeof first?.title !== 'string' || !/^https:\/\//.test(first.url)) return null;
  const own = first[language];
  return typeof own === 'string'
    ? { title: own, url: first.url, language }
    : { title: first.title, url: first.url, language: 'en' };
}

/**
 * Text normalised for search: lower case, without accents.
 * @param {string} text
 */
export function folded(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
