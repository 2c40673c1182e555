// @ts-check
// Which kinds of device are likely, and which match what somebody types. Pure.

/** @typedef {import('../taxonomies.js').Term} Term */

/** Kinds that people meet most, where nothing is known of the place. */
const COMMON = ['camera_fixed', 'camera_ptz', 'doorbell_camera', 'alpr', 'wifi_hotspot', 'traffic_enforcement'];
const MOST = 6;

/**
 * The likely ones: what stands around most, then what is common.
 * @param {Term[]} terms @param {string[]} around categories of devices nearby, one for each
 * @returns {Term[]}
 */
export function likelyKinds(terms, around) {
  const counts = new Map();
  for (const code of around) counts.set(code, (counts.get(code) ?? 0) + 1);
  const score = (/** @type {Term} */ { code }) => {
    const place = COMMON.indexOf(code);
    return Math.min(counts.get(code) ?? 0, 5) + (place < 0 ? 0 : (COMMON.length - place) / COMMON.length + 0.5);
  };
  const scored = terms.filter((term) => term.code !== 'other').map((term, index) => ({ term, index, score: score(term) }));
  return scored.filter((one) => one.score > 0).sort((a, b) => b.score - a.score || a.index - b.index).slice(0, MOST).map((one) => one.term);
}

/**
 * Words without case and marks, as search compares them.
 * @param {string} text
 */
export function folded(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * Terms whose name or meaning holds every word; names first, and those that begin so before others.
 * @param {Term[]} terms @param {string} words
 * @returns {Term[]}
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
