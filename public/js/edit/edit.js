// @ts-check
// What somebody wants to change of a device and has not saved: the fields with their new values, and
// what they vouch for. Pure: every step gives a new edit.

import { answer, flatten, operatorParts, questionOf, same, valueOf } from './record.js';

/** @typedef {import('./record.js').Flat} Flat */
/**
 * @typedef {object} Edit
 * @property {string} id of the device
 * @property {any} base the feature that was read when editing began
 * @property {string} etag of it
 * @property {Flat} changes new values by field
 * @property {string[]} vouched questions whose assumed value somebody has found to be true
 * @property {string} comment why
 * @property {number} at milliseconds since 1970, of the last change
 * @property {string | null} account whose it is; null: of a visitor
 */

/**
 * @param {any} feature @param {string} etag @param {string | null} account
 * @returns {Edit}
 */
export function newEdit(feature, etag, account) {
  return { id: String(feature.id), base: feature, etag, changes: {}, vouched: [], comment: '', at: 0, account };
}

/**
 * What the device would say.
 * @param {Edit} edit
 * @returns {Flat}
 */
export function wanted(edit) {
  return { ...flatten(edit.base), ...edit.changes };
}

/**
 * An answer to a question; the one that stood there before is no change.
 * @param {Edit} edit @param {string} question @param {any} value as its field has it @param {number} now
 * @returns {Edit}
 */
export function answered(edit, question, value, now) {
  const before = flatten(edit.base);
  const parts = question === 'operator' ? operatorParts(value) : { [question]: valueOf(question, value) };
  const changes = { ...edit.changes };
  for (const [field, part] of Object.entries(parts)) {
    if (same(field, part, before[field])) delete changes[field];
    else changes[field] = part;
  }
  return { ...edit, changes, vouched: edit.vouched.filter((other) => other !== question), at: now };
}

/**
 * A question as it was.
 * @param {Edit} edit @param {string} question @param {number} now
 * @returns {Edit}
 */
export function putBack(edit, question, now) {
  return answered(edit, question, answer(flatten(edit.base), question), now);
}

/**
 * Says of an assumed value that it is true, or takes that back.
 * @param {Edit} edit @param {string} question @param {boolean} isTrue @param {number} now
 * @returns {Edit}
 */
export function vouchedFor(edit, question, isTrue, now) {
  const vouched = edit.vouched.filter((other) => other !== question);
  return { ...edit, vouched: isTrue ? [...vouched, question] : vouched, at: now };
}

/**
 * Fields filled in from the category that nobody has seen.
 * @param {any} feature
 * @returns {string[]}
 */
export function assumedOf(feature) {
  const list = feature?.properties?.assumed;
  return Array.isArray(list) ? list.filter((field) => typeof field === 'string') : [];
}

/**
 * The questions that an edit changes, in no order.
 * @param {Edit} edit
 */
export function changedQuestions(edit) {
  return [...new Set(Object.keys(edit.changes).map(questionOf))];
}

/** @param {Edit} edit */
export function isEmpty(edit) {
  return Object.keys(edit.changes).length === 0 && edit.vouched.length === 0;
}

/**
 * Whether it is worth keeping: something was changed or written.
 * @param {Edit} edit
 */
export function isWorthKeeping(edit) {
  return !isEmpty(edit) || edit.comment.trim() !== '';
}

/**
 * What is sent: a merge patch (RFC 7396) of the feature, with the reason beside it.
 * @param {Edit} edit
 */
export function patchOf(edit) {
  /** @type {Record<string, any>} */
  const properties = {};
  /** @type {Record<string, any>} */
  const operator = {};
  for (const [field, value] of Object.entries(edit.changes)) {
    if (field === 'place') continue;
    if (field.startsWith('operator.')) operator[field.slice('operator.'.length)] = value;
    else properties[field] = value;
  }
  if (Object.keys(operator).length) properties.operator = operatorPatch(operator, wanted(edit));
  const assumed = assumedOf(edit.base);
  const left = assumed.filter((field) => !edit.vouched.includes(field) && !(field in properties));
  if (left.length < assumed.length) properties.assumed = left;
  const { place } = edit.changes;
  return {
    ...(place ? { geometry: { type: 'Point', coordinates: place } } : {}),
    properties,
    ...(edit.comment.trim() ? { comment: edit.comment.trim() } : {}),
  };
}

/**
 * The changed parts; null for an operator of which nothing is left.
 * @param {Record<string, any>} changed @param {Flat} flat
 */
function operatorPatch(changed, flat) {
  const isKnown = Object.entries(flat).some(([field, value]) => field.startsWith('operator.') && value !== null);
  if (!isKnown) return null;
  return flat['operator.kind'] === null ? { ...changed, kind: 'unknown' } : changed;
}
