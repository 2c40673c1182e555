// @ts-check
// Two versions of a device beside each other: the fields in which they differ. Pure.

import { flatten, same, SECTIONS, OPERATOR } from '../edit/record.js';

/** @typedef {{field: string, before: any, after: any, differs: boolean}} Row */
/** @typedef {{id: string, rows: Row[]}} Group `id` of a section of the page */

/** What stands in a version beside what people may say of it. */
const BESIDE = ['status', 'approximate', 'observed_on', 'last_confirmed', 'assumed', 'photos'];

/**
 * @param {any} before @param {any} after features
 * @returns {Group[]} every field once, section by section
 */
export function compareVersions(before, after) {
  const [one, other] = [before, after].map(versionOf);
  const row = (/** @type {string} */ field) => ({
    field, before: one[field] ?? null, after: other[field] ?? null, differs: !same(field, one[field], other[field]),
  });
  const groups = SECTIONS.map(({ id, fields }) => ({
    id, rows: fields.flatMap((field) => (field === 'operator' ? OPERATOR.map((part) => row(`operator.${part}`)) : [row(field)])),
  }));
  return [...groups, { id: 'record', rows: BESIDE.map(row) }];
}

/** @param {any} feature */
function versionOf(feature) {
  const properties = feature?.properties ?? {};
  return { ...Object.fromEntries(BESIDE.map((field) => [field, properties[field] ?? null])), ...flatten(feature) };
}

/** @param {Group[]} groups */
export function differences(groups) {
  return groups.map(({ id, rows }) => ({ id, rows: rows.filter((row) => row.differs) })).filter(({ rows }) => rows.length > 0);
}

/**
 * Where both versions stood, if the device was moved.
 * @param {Group[]} groups
 * @returns {{before: [number, number], after: [number, number]} | null}
 */
export function movement(groups) {
  const row = groups.flatMap((group) => group.rows).find(({ field }) => field === 'place');
  return row?.differs && row.before && row.after ? { before: row.before, after: row.after } : null;
}

/**
 * The two versions that an address asks for, the older first; nothing where it asks for none.
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
 * Names of changed fields as the interface gives them, each once and in the spelling of the page.
 * @param {any} changed
 * @returns {string[]}
 */
export function changedFields(changed) {
  const names = (Array.isArray(changed) ? changed : []).filter((one) => typeof one === 'string')
    .map((name) => (['geometry', 'longitude', 'latitude', 'location'].includes(name) ? 'place' : name));
  return [...new Set(names)];
}
