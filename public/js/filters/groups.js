// @ts-check
// Groups of categories that one tap chooses, such as all cameras.

/** @typedef {import('../taxonomies.js').Term} Term */
/** @typedef {import('../state.js').Filters} Filters */

/**
 * Whether the filter contains all categories of a group.
 * @param {Filters} filters @param {Term} group
 */
export function isChosen(filters, group) {
  const chosen = filters.category ?? [];
  const own = group.categories ?? [];
  return own.length > 0 && own.every((code) => chosen.includes(code));
}

/**
 * The filters with all categories of a group added, or removed if all of them are there.
 * @param {Filters} filters @param {Term} group
 * @returns {Filters}
 */
export function groupToggled(filters, group) {
  const chosen = filters.category ?? [];
  const own = group.categories ?? [];
  const next = isChosen(filters, group)
    ? chosen.filter((code) => !own.includes(code)) : [...new Set([...chosen, ...own])];
  const { category: _, ...rest } = filters;
  return next.length ? { ...rest, category: next } : rest;
}

/**
 * The groups that the filter contains completely, and the categories that no such group covers. A group inside another
 * group is not repeated.
 * @param {Filters} filters @param {Iterable<Term>} groups
 * @returns {{groups: Term[], categories: string[]}}
 */
export function summed(filters, groups) {
  const whole = [...groups].filter((group) => isChosen(filters, group));
  const outer = whole.filter((group) => !whole.some((other) => other !== group && contains(other, group)));
  const covered = new Set(outer.flatMap((group) => group.categories ?? []));
  return { groups: outer, categories: (filters.category ?? []).filter((code) => !covered.has(code)) };
}

/** @param {Term} outer @param {Term} inner */
function contains(outer, inner) {
  return (inner.categories ?? []).every((code) => outer.categories?.includes(code));
}
