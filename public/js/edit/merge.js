// @ts-check
// Compares the changes of two people to one device and finds conflicts. Pure.

import { flatten, isSet, OPERATOR, same } from '../devices/record.js';
import { newEdit } from './edit.js';

/** @typedef {import('../types').DeviceFeature} DeviceFeature */
/** @typedef {import('./edit.js').Edit} Edit */
/** @typedef {import('../devices/record.js').Flat} Flat */
/** @typedef {'mine' | 'theirs' | 'both'} Choice */
/**
 * @typedef {object} Difference
 * @property {string} field `operator`: all its parts, if one side is a household
 * @property {unknown} before value when editing began
 * @property {unknown} mine
 * @property {unknown} theirs
 * @property {boolean} canBoth whether both changes can be combined
 */
/**
 * @typedef {object} Merge
 * @property {Difference[]} mine fields changed only in this edit
 * @property {Difference[]} theirs fields changed only by the other person
 * @property {Difference[]} agreed fields with the same change on both sides
 * @property {Difference[]} conflicts fields with different changes
 */

/**
 * @param {Edit} edit
 * @param {DeviceFeature} current the feature as stored now
 * @returns {Merge}
 */
export function compare(edit, current) {
  const before = flatten(edit.base);
  const theirs = flatten(current);
  const mine = { ...before, ...edit.changes };
  const changedByMe = (/** @type {string} */ field) => field in edit.changes;
  const changedByThem = (/** @type {string} */ field) => !same(field, theirs[field], before[field]);
  /** @type {Merge} */
  const merge = { mine: [], theirs: [], agreed: [], conflicts: [] };
  const parts = OPERATOR.map((part) => `operator.${part}`);
  const asOne = parts.some(changedByMe) && parts.some(changedByThem)
    && [mine, theirs].some((flat) => flat['operator.kind'] === 'household')
    && parts.some((part) => !same(part, mine[part], theirs[part]));
  if (asOne) {
    merge.conflicts.push({
      field: 'operator', before: only(before, parts), mine: only(mine, parts), theirs: only(theirs, parts),
      canBoth: false,
    });
  }
  for (const field of Object.keys(before)) {
    if (asOne && parts.includes(field)) continue;
    const difference = {
      field, before: before[field], mine: mine[field], theirs: theirs[field],
      canBoth: isSet(field) && mine[field] !== null && theirs[field] !== null,
    };
    const [me, them] = [changedByMe(field), changedByThem(field)];
    if (me && them) (same(field, mine[field], theirs[field]) ? merge.agreed : merge.conflicts).push(difference);
    else if (me) merge.mine.push(difference);
    else if (them) merge.theirs.push(difference);
  }
  return merge;
}

/**
 * Whether this edit applies to the other version without conflicts.
 * @param {Merge} merge
 */
export function isClear(merge) {
  return merge.conflicts.length === 0;
}

/**
 * Combines the additions and removals of both sides, in order.
 * @param {Difference} difference
 */
export function together({ before, mine, theirs }) {
  const [base, own, others] = /** @type {unknown[][]} */ ([before ?? [], mine, theirs]);
  const taken = base.filter((one) => !own.includes(one));
  const added = own.filter((one) => !base.includes(one) && !others.includes(one));
  return [...others.filter((one) => !taken.includes(one)), ...added];
}

/**
 * Applies this edit to the other version.
 * @param {Edit} edit
 * @param {DeviceFeature} current
 * @param {string} etag
 * @param {Merge} merge
 * @param {Record<string, Choice>} choices choice for each conflict
 * @param {number} now
 * @returns {Edit}
 */
export function rebased(edit, current, etag, merge, choices, now) {
  const theirs = flatten(current);
  /** @type {Flat} */
  const changes = {};
  const keep = (/** @type {string} */ field, /** @type {unknown} */ value) => {
    if (!same(field, value, theirs[field])) changes[field] = value;
  };
  for (const { field, mine } of merge.mine) keep(field, mine);
  for (const difference of merge.conflicts) {
    const choice = choices[difference.field];
    if (choice === 'theirs') continue;
    if (difference.field === 'operator') {
      for (const [part, value] of Object.entries(/** @type {Flat} */ (difference.mine))) keep(part, value);
    } else {
      keep(difference.field, choice === 'both' && difference.canBoth ? together(difference) : difference.mine);
    }
  }
  return { ...newEdit(current, etag, edit.account), changes, vouched: edit.vouched, comment: edit.comment, at: now };
}

/** @param {Flat} flat @param {string[]} fields */
function only(flat, fields) {
  return Object.fromEntries(fields.map((field) => [field, flat[field]]));
}
