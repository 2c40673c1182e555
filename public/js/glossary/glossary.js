// @ts-check
// Which word of the glossary explains what. Pure.

/** @typedef {import('../taxonomies.js').Term} Term */
/** @typedef {{title: string, url: string, language: string}} Source */

/**
 * The words of the glossary by what they explain: «data:plate», «field:retention».
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
 * Where a word of the glossary stands.
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
 * What a definition rests on, if it says so, with the language its title is told in.
 * @param {Term | undefined} term @param {string} language the reader's
 * @returns {Source | null}
 */
export function sourceOf(term, language) {
  const [first] = term && Array.isArray(term.sources) ? term.sources : [];
  if (typeof first?.title !== 'string' || !/^https:\/\//.test(first.url)) return null;
  const own = first[language];
  return typeof own === 'string' ? { title: own, url: first.url, language } : { title: first.title, url: first.url, language: 'en' };
}

/**
 * Text as a search compares it: in small, without accents.
 * @param {string} text
 */
export function folded(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
