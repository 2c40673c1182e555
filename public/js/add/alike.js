// @ts-check
// Finds existing records that may describe the same device as a draft. Same rule as
// LikelyDuplicates on the server. Pure.

/** @typedef {import('../taxonomies.js').Term} Term */

/**
 * Top-level terms of the data that a category usually collects.
 * @param {Term | undefined} kind @param {Map<string, Term>} data
 */
function roots(kind, data) {
  return new Set((kind?.collects ?? []).map((/** @type {string} */ code) => {
    let now = code;
    for (let parent = data.get(now)?.parent; parent; parent = data.get(now)?.parent) now = parent;
    return now;
  }));
}

/**
 * Whether a record may describe the same device as one of category `own`. True for a record of the
 * same category and for a record with the status `not_a_device`. At the precisions `exact` and
 * `100m`, also true for a category that collects the same sort of data.
 * @param {{category: string, status: string}} record
 * @param {string} own
 * @param {string} precision
 * @param {Map<string, Term>} kinds
 * @param {Map<string, Term>} data
 */
export function isAlike(record, own, precision, kinds, data) {
  if (record.category === own || record.status === 'not_a_device') return true;
  if (precision !== 'exact' && precision !== '100m') return false;
  const one = roots(kinds.get(record.category), data);
  const other = roots(kinds.get(own), data);
  return one.size === 0 || other.size === 0 || [...one].some((root) => other.has(root));
}
