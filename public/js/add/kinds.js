// @ts-check
// Categories of device that are likely at a place, and categories that match a search. Pure.

/** @typedef {import('../taxonomies.js').Term} Term */

/** The most common categories, used without information about the place. */
const COMMON = ['camera_fixed', 'camera_ptz', 'doorbell_camera', 'alpr', 'wifi_hotspot', 'traffic_enforcement'];
const MOST = 6;

/**
 * Likely categories: the most frequent nearby, then the most common overall.
 * @param {Term[]} terms
 * @param {string[]} around category of each nearby device
 * @returns {Term[]}
 */
export function likelyKinds(terms, around) {
  const counts = new Map();
  for (const code of around) counts.set(code, (counts.get(code) ?? 0) + 1);
  const score = (/** @type {Term} */ { code }) => {
    const place = COMMON.indexOf(code);
    return Math.min(counts.get(code) ?? 0, 5) + (place < 0 ? 0 : (COMMON.length - place) / COMMON.length + 0.5);
  };
  const scored = terms.filter((term) => term.code !== 'other').map((term, index) => ({
    term, index, score: score(term),
  }));
  return scored.filter((one) => one.score > 0).sort((a, b) => b.score - a.score || a.index - b.index).slice(0, MOST)
    .map((one) => one.term);
}

/**
 * Lower case without accents, as the search compares words.
 * @param {string} text
 */
export function folded(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * Terms whose name or definition contains every word. Matches in the name come first, and among
 * them names that begin with the first word.
 * @param {Term[]} terms @param {string} words @returns {Term[]}
 */
export function matching(terms, words) {
  const parts = folded(words).split(/[\s-]+/).filter(Boolean);
  const found = terms.flatMap((term, index) => {
    const name = folded(`${term.label} ${term.plural ?? ''}`);
    const all = `${name} ${folded(term.definition ?? '')}`;
    if (!parts.every((part) => all.includes(part))) return [];
    const score = (parts.every((part) => name.includes(part)) ? 0 : 2) + (name.startsWith(parts[0]) ? 0 : 1);
    return [{ term, index, score }];
  });
  return found.sort((a, b) => a.score - b.score || a.index - b.index).map((one) => one.term);
}
