// @ts-check
// Selection in a two-level taxonomy: a top-level term means «some of this», its child terms are
// more specific. Pure.

/** @typedef {import('../taxonomies.js').Term} Term */
/** @typedef {{term: Term, leaves: Term[]}} Branch */

/**
 * Groups terms by top-level term, in order.
 * @param {Iterable<Term>} terms
 * @returns {Branch[]}
 */
export function branches(terms) {
  const all = [...terms];
  return all.filter((term) => !term.parent)
    .map((term) => ({ term, leaves: all.filter((leaf) => leaf.parent === term.code) }));
}

/**
 * Whether any term of a branch is selected.
 * @param {Branch} branch @param {string[]} chosen
 */
export function isOpen({ term, leaves }, chosen) {
  return chosen.includes(term.code) || leaves.some((leaf) => chosen.includes(leaf.code));
}

/**
 * Selects a branch, or deselects it with all its terms.
 * @param {Branch} branch @param {string[]} chosen @returns {string[]}
 */
export function withBranch(branch, chosen) {
  const own = [branch.term.code, ...branch.leaves.map((leaf) => leaf.code)];
  const rest = chosen.filter((code) => !own.includes(code));
  return isOpen(branch, chosen) ? rest : [...rest, branch.term.code];
}

/**
 * Selects or deselects a child term. A selected child replaces its top-level term. Deselecting the
 * last child selects the top-level term again, because the branch as a whole still applies.
 * @param {Branch} branch
 * @param {string} leaf
 * @param {string[]} chosen
 * @returns {string[]}
 */
export function withLeaf(branch, leaf, chosen) {
  const without = chosen.filter((code) => code !== leaf && code !== branch.term.code);
  if (!chosen.includes(leaf)) return [...without, leaf];
  const others = branch.leaves.some((other) => without.includes(other.code));
  return others ? without : [...without, branch.term.code];
}

/**
 * Codes in the order of the tree without duplicates, unknown codes last.
 * @param {Branch[]} tree @param {string[]} chosen
 */
export function inOrder(tree, chosen) {
  const order = tree.flatMap(({ term, leaves }) => [term.code, ...leaves.map((leaf) => leaf.code)]);
  const at = (/** @type {string} */ code) => (order.includes(code) ? order.indexOf(code) : order.length);
  return [...new Set(chosen)].sort((a, b) => at(a) - at(b));
}
