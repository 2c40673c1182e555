// @ts-check
// The available filters and their taxonomies.

/** @typedef {{name: string, scheme: string, title: string, icons?: boolean}} Facet */

/**
 * In the order of the dialog.
 * @type {readonly Facet[]}
 */
export const FACETS = Object.freeze([
  { name: 'category', scheme: 'categories', title: 'filters.category', icons: true },
  { name: 'data_collected', scheme: 'data', title: 'filters.data_collected' },
  { name: 'choices', scheme: 'choices', title: 'filters.choices' },
  { name: 'status', scheme: 'statuses', title: 'filters.status' },
  { name: 'freshness', scheme: 'freshness', title: 'filters.freshness' },
  { name: 'setting', scheme: 'settings', title: 'filters.setting' },
  { name: 'operator_kind', scheme: 'operator_kinds', title: 'filters.operator_kind' },
]);

/** Filters without a list in the dialog, reachable only through a link. */
const OTHERS = /** @type {Record<string, string>} */ ({
  zone: 'zones', precision: 'precisions', legal_basis: 'legal_bases',
});

/**
 * The taxonomy with the labels of a filter.
 * @param {string} filter
 */
export function schemeOf(filter) {
  return FACETS.find((facet) => facet.name === filter)?.scheme ?? OTHERS[filter] ?? filter;
}

/**
 * Whether the values of a filter are codes of a taxonomy.
 * @param {string} filter
 */
export function hasScheme(filter) {
  return Object.hasOwn(OTHERS, filter) || FACETS.some((facet) => facet.name === filter);
}

/** Filters whose values are names instead of codes. */
export const NAMED = Object.freeze(['operator', 'country']);

/**
 * Groups terms with their children, one level deep, as lists show them.
 * @template {{code: string, parent?: string | null}} T
 * @param {Iterable<T>} terms
 * @returns {{root: T, leaves: T[]}[]}
 */
export function grouped(terms) {
  /** @type {Map<string, {root: T, leaves: T[]}>} */
  const groups = new Map();
  for (const term of terms) {
    const parent = term.parent ? groups.get(term.parent) : undefined;
    if (parent) parent.leaves.push(term);
    else groups.set(term.code, { root: term, leaves: [] });
  }
  return [...groups.values()];
}
