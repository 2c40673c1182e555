// @ts-check
// Compares two versions of a device field by field. Pure functions.

import { flatten, same, SECTIONS, OPERATOR } from '../devices/record.js';

/** @typedef {import('../types').DeviceFeature} DeviceFeature */
/** @typedef {{field: string, before: any, after: any, differs: boolean}} Row */
/** @typedef {{id: string, rows: Row[]}} Group `id`: name of a section of the page */

/** Fields of a version that users cannot edit. */
const UNEDITED = ['status', 'approximate', 'observed_on', 'last_confirmed', 'assumed', 'photos'];

/**
 * @param {DeviceFeature} before @param {DeviceFeature} after
 * @returns {Group[]} each field once, grouped by section
 */
export function compareVersions(before, after) {
  const [one, other] = [before, after].map(versionOf);
  const row = (/** @type {string} */ field) => ({
    field, before: one[field] ?? null, after: other[field] ?? null, differs: !same(field, one[field], other[field]),
  });
  const groups = SECTIONS.map(({ id, fields }) => ({
    id,
    rows: fields.flatMap((field) =>
      (field === 'operator' ? OPERATOR.map((part) => row(`operator.${part}`)) : [row(field)])),
  }));
  return [...groups, { id: 'record', rows: UNEDITED.map(row) }];
}

/** @param {DeviceFeature} feature @returns {Record<string, unknown>} */
function versionOf(feature) {
  /** @type {Record<string, unknown>} */
  const properties = feature?.properties ?? {};
  return { ...Object.fromEntries(UNEDITED.map((field) => [field, properties[field] ?? null])), ...flatten(feature) };
}

/** @param {Group[]} groups */
export function differences(groups) {
  return groups.map(({ id, rows }) => ({ id, rows: rows.filter((row) => row.differs) }))
    .filter(({ rows }) => rows.length > 0);
}

/**
 * The place in both versions, if the device was moved; otherwise null.
 * @param {Group[]} groups
 * @returns {{before: [number, number], after: [number, number]} | null}
 */
export function movement(groups) {
  const row = groups.flatMap((group) => group.rows).find(({ field }) => field === 'place');
  return row?.differs && row.before && row.after ? { before: row.before, after: row.after } : null;
}

/**
 * The two versions that the query string names, the older first; null if it does not name two versions.
 * @param {string} query
 * @returns {{from: number, to: number} | null}
 */
export function askedVersions(query) {
  const parameters = new URLSearchParams(query);
  const [from, to] = ['from', 'to'].map((name) => {
    const text = parameters.get(name) ?? '';
    return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
  });
  if (from === null || to === null || from === to) return null;
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

/**
 * Names of changed fields from the API, each once and under the name that the page uses.
 * @param {unknown} changed
 * @returns {string[]}
 */
export function changedFields(changed) {
  const names = (Array.isArray(changed) ? changed : []).filter((one) => typeof one === 'string')
    .map((name) => (['geometry', 'longitude', 'latitude', 'location'].includes(name) ? 'place' : name));
  return [...new Set(names)];
}
