// @ts-check
// Unsaved changes to a device: new values by field, and assumed values that the user confirms.
// Pure: every function returns a new edit.

import { answer, flatten, operatorParts, questionOf, same, valueOf } from '../devices/record.js';

/** @typedef {import('../types').DeviceFeature} DeviceFeature */
/** @typedef {import('../devices/record.js').Flat} Flat */
/**
 * @typedef {object} Edit
 * @property {string} id id of the device
 * @property {DeviceFeature} base the feature as loaded when editing began
 * @property {string} etag ETag of that feature
 * @property {Flat} changes new values by field
 * @property {string[]} vouched questions whose assumed value the user has confirmed
 * @property {string} comment reason for the change
 * @property {number} at time of the last change, milliseconds since 1970
 * @property {string | null} account id of the account; null: a visitor
 */

/**
 * @param {DeviceFeature} feature @param {string} etag @param {string | null} account
 * @returns {Edit}
 */
export function newEdit(feature, etag, account) {
  return { id: String(feature.id), base: feature, etag, changes: {}, vouched: [], comment: '', at: 0, account };
}

/**
 * The device with the changes applied.
 * @param {Edit} edit
 * @returns {Flat}
 */
export function wanted(edit) {
  return { ...flatten(edit.base), ...edit.changes };
}

/**
 * Stores the answer to a question. An answer equal to the loaded value removes the change.
 * @param {Edit} edit
 * @param {string} question
 * @param {unknown} value in the format of its field
 * @param {number} now
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
 * Resets a question to the loaded value.
 * @param {Edit} edit
 * @param {string} question
 * @param {number} now
 * @returns {Edit}
 */
export function putBack(edit, question, now) {
  return answered(edit, question, answer(flatten(edit.base), question), now);
}

/**
 * Confirms an assumed value, or removes the confirmation.
 * @param {Edit} edit
 * @param {string} question
 * @param {boolean} isTrue
 * @param {number} now
 * @returns {Edit}
 */
export function vouchedFor(edit, question, isTrue, now) {
  const vouched = edit.vouched.filter((other) => other !== question);
  return { ...edit, vouched: isTrue ? [...vouched, question] : vouched, at: now };
}

/**
 * Fields derived from the category that no contributor has confirmed.
 * @param {DeviceFeature} feature
 * @returns {string[]}
 */
export function assumedOf(feature) {
  const list = feature?.properties?.assumed;
  return Array.isArray(list) ? list.filter((field) => typeof field === 'string') : [];
}

/**
 * The questions that an edit changes, in no particular order.
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
 * Whether to store the edit: it has a change or a comment.
 * @param {Edit} edit
 */
export function isWorthKeeping(edit) {
  return !isEmpty(edit) || edit.comment.trim() !== '';
}

/**
 * Request body: a merge patch (RFC 7396) of the feature, with the comment.
 * @param {Edit} edit
 */
export function patchOf(edit) {
  /** @type {Record<string, unknown>} */
  const properties = {};
  /** @type {Record<string, unknown>} */
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
 * The changed parts; null if no part of the operator is known any more.
 * @param {Record<string, unknown>} changed @param {Flat} flat
 */
function operatorPatch(changed, flat) {
  const isKnown = Object.entries(flat).some(([field, value]) => field.startsWith('operator.') && value !== null);
  if (!isKnown) return null;
  return flat['operator.kind'] === null ? { ...changed, kind: 'unknown' } : changed;
}
