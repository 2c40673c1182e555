// @ts-check
// Two people changed one device: what each of them changed, and what they cannot both have. Pure.

import { newEdit } from './edit.js';
import { flatten, isSet, OPERATOR, same } from './record.js';

/** @typedef {import('./edit.js').Edit} Edit */
/** @typedef {import('./record.js').Flat} Flat */
/** @typedef {'mine' | 'theirs' | 'both'} Choice */
/**
 * @typedef {object} Difference
 * @property {string} field `operator` stands for all its parts where one side is a household
 * @property {any} before when editing began
 * @property {any} mine
 * @property {any} theirs
 * @property {boolean} canBoth whether the two can be put together
 */
/**
 * @typedef {object} Merge
 * @property {Difference[]} mine fields that only I changed
 * @property {Difference[]} theirs fields that only they changed
 * @property {Difference[]} agreed fields that both changed alike
 * @property {Difference[]} conflicts fields that both changed, each in their way
 */

/**
 * @param {Edit} edit @param {any} current the feature as it is now
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
  if (asOne) merge.conflicts.push({ field: 'operator', before: only(before, parts), mine: only(mine, parts), theirs: only(theirs, parts), canBoth: false });
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
 * Whether my edit can simply be made again on top of theirs.
 * @param {Merge} merge
 */
export function isClear(merge) {
  return merge.conflicts.length === 0;
}

/**
 * What both sides put in or took out, in their order.
 * @param {Difference} difference
 */
export function together({ before, mine, theirs }) {
  const base = before ?? [];
  const taken = base.filter((/** @type {any} */ one) => !mine.includes(one));
  const added = mine.filter((/** @type {any} */ one) => !base.includes(one) && !theirs.includes(one));
  return [...theirs.filter((/** @type {any} */ one) => !taken.includes(one)), ...added];
}

/**
 * My edit, made anew on what they saved.
 * @param {Edit} edit @param {any} current @param {string} etag
 * @param {Merge} merge @param {Record<string, Choice>} choices of each conflict
 * @param {number} now
 * @returns {Edit}
 */
export function rebased(edit, current, etag, merge, choices, now) {
  const theirs = flatten(current);
  /** @type {Flat} */
  const changes = {};
  const keep = (/** @type {string} */ field, /** @type {any} */ value) => {
    if (!same(field, value, theirs[field])) changes[field] = value;
  };
  for (const { field, mine } of merge.mine) keep(field, mine);
  for (const difference of merge.conflicts) {
    const choice = choices[difference.field];
    if (choice === 'theirs') continue;
    if (difference.field === 'operator') for (const [part, value] of Object.entries(difference.mine)) keep(part, value);
    else keep(difference.field, choice === 'both' && difference.canBoth ? together(difference) : difference.mine);
  }
  return { ...newEdit(current, etag, edit.account), changes, vouched: edit.vouched, comment: edit.comment, at: now };
}

/** @param {Flat} flat @param {string[]} fields */
function only(flat, fields) {
  return Object.fromEntries(fields.map((field) => [field, flat[field]]));
}
