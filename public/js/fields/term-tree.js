// @ts-check
// Choosing among terms that have branches: a root says «some of this», its leaves say which. Pure.

/** @typedef {import('../taxonomies.js').Term} Term */
/** @typedef {{term: Term, leaves: Term[]}} Branch */

/**
 * Terms as branches, in their order.
 * @param {Iterable<Term>} terms
 * @returns {Branch[]}
 */
export function branches(terms) {
  const all = [...terms];
  return all.filter((term) => !term.parent)
    .map((term) => ({ term, leaves: all.filter((leaf) => leaf.parent === term.code) }));
}

/**
 * Whether anything of a branch is chosen.
 * @param {Branch} branch @param {string[]} chosen
 */
export function isOpen({ term, leaves }, chosen) {
  return chosen.includes(term.code) || leaves.some((leaf) => chosen.includes(leaf.code));
}

/**
 * A branch taken or left with everything on it.
 * @param {Branch} branch @param {string[]} chosen
 * @returns {string[]}
 */
export function withBranch(branch, chosen) {
  const own = [branch.term.code, ...branch.leaves.map((leaf) => leaf.code)];
  const rest = chosen.filter((code) => !own.includes(code));
  return isOpen(branch, chosen) ? rest : [...rest, branch.term.code];
}

/**
 * A leaf taken or left. Leaves stand for their branch; the last one leaves the branch behind, since
 * some of it is still there.
 * @param {Branch} branch @param {string} leaf @param {string[]} chosen
 * @returns {string[]}
 */
export function withLeaf(branch, leaf, chosen) {
  const without = chosen.filter((code) => code !== leaf && code !== branch.term.code);
  if (!chosen.includes(leaf)) return [...without, leaf];
  const others = branch.leaves.some((other) => without.includes(other.code));
  return others ? without : [...without, branch.term.code];
}

/**
 * Codes in the order of the tree, each once, unknown ones last.
 * @param {Branch[]} tree @param {string[]} chosen
 */
export function inOrder(tree, chosen) {
  const order = tree.flatMap(({ term, leaves }) => [term.code, ...leaves.map((leaf) => leaf.code)]);
  const at = (/** @type {string} */ code) => (order.includes(code) ? order.indexOf(code) : order.length);
  return [...new Set(chosen)].sort((a, b) => at(a) - at(b));
}
