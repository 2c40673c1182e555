// @ts-check
// Which records people may take for one another; the rule of LikelyDuplicates on the server. Pure.

/** @typedef {import('../taxonomies.js').Term} Term */

/**
 * Roots of the data that a kind usually collects.
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
 * Whether a record may be of the same device as one of kind `own`: of the same kind; where places are
 * close, also of one that senses the same sort of thing; and whatever turned out to be no device.
 * @param {{category: string, status: string}} record @param {string} own @param {string} precision
 * @param {Map<string, Term>} kinds @param {Map<string, Term>} data
 */
export function isAlike(record, own, precision, kinds, data) {
  if (record.category === own || record.status === 'not_a_device') return true;
  if (precision !== 'exact' && precision !== '100m') return false;
  const one = roots(kinds.get(record.category), data);
  const other = roots(kinds.get(own), data);
  return one.size === 0 || other.size === 0 || [...one].some((root) => other.has(root));
}
