// @ts-check
// A watch that only this browser knows, and what is new in it. Pure. Times are milliseconds since 1970, by the clock
// of the server.

import { FILTERS, REPEATED } from '../state.js';
import { contains } from './area.js';
import { passes } from './matches.js';

/** @typedef {import('./area.js').Area} Area */
/** @typedef {import('./matches.js').MatchContext} MatchContext */
/** @typedef {import('../state.js').Filters} Filters */
/** @typedef {import('../types').DeviceFeature} DeviceFeature */
/** @typedef {'added' | 'changed' | 'disputed' | 'removed'} Kind */
/**
 * @typedef {object} Item what happened to a device
 * @property {string} id @property {number} at time of the change @property {Kind} kind
 * @property {boolean} isSeen
 * @property {DeviceFeature} feature with the properties that rows show
 */
/**
 * @typedef {object} Watch
 * @property {string} id
 * @property {string} label
 * @property {Area} area
 * @property {Filters} filters
 * @property {number} createdAt
 * @property {number} since changes until then are known
 * @property {number} seenAt when the person last marked the list as seen; at first the creation
 * @property {string | null} readTo the last day (ISO) that was read completely
 * @property {boolean} isTimed whether the times above are known to be times of the server
 * @property {boolean} isPaused
 * @property {boolean} hasGap whether days were missed that the server no longer lists
 * @property {number} dropped new items beyond the maximum
 * @property {Item[]} items the latest first
 */
/** @typedef {{label: string, area: Area, filters: Filters}} Portable */

export const MOST_WATCHES = 20;
export const LONGEST_LABEL = 80; // characters
const MOST_ITEMS = 500;
const SECOND = 1_000; // milliseconds
const SHOWN = ['name', 'category', 'status', 'operator', 'precision', 'created_at', 'updated_at'];

/**
 * @param {string} id @param {Portable} portable @param {number} now
 * @returns {Watch}
 */
export function newWatch(id, { label, area, filters }, now) {
  return {
    id, label, area, filters, createdAt: now, since: now, seenAt: now, readTo: null, isTimed: false, isPaused: false,
    hasGap: false, dropped: 0, items: [],
  };
}

/**
 * A watch without its history, for files.
 * @param {Watch} watch
 * @returns {Portable}
 */
export function portable({ label, area, filters }) { return { label, area, filters }; }

/**
 * A watch in the form of `POST /api/watches`, for the button that moves it into an account.
 * @param {Watch} watch
 */
export function forAccount({ label, area, filters }) {
  // Codes of a list are one value with commas; names, which may contain commas, are values of their own.
  const filter = Object.fromEntries(Object.entries(filters).map(([name, values]) => (
    [name, REPEATED.includes(name) ? values : values.join(',')])));
  return { label, area: areaForAccount(area), filter };
}

/** @param {Area} area */
function areaForAccount(area) {
  switch (area.type) {
    case 'circle': return { type: 'circle', center: area.centre, radius: area.radius };
    case 'polygon': return { type: 'polygon', coordinates: [[...area.corners, area.corners[0]]] };
    case 'place': return { type: 'place', place: area.place };
    default: return { type: 'box', bbox: area.box };
  }
}

/**
 * The filters that can be decided from a device of a feed. Words of the search cannot.
 * @param {Filters} filters
 * @returns {Filters}
 */
export function decidable(filters) {
  return Object.fromEntries(Object.entries(filters)
    .filter(([name, codes]) => codes.length && [...FILTERS, ...REPEATED].includes(name)));
}

/**
 * Takes devices of feeds into a watch.
 * @param {Watch} watch @param {DeviceFeature[]} features @param {MatchContext} context
 * @returns {Watch} the same object if there is nothing new
 */
export function withNews(watch, features, context) {
  const items = new Map(watch.items.map((item) => [item.id, item]));
  let isChanged = false;
  for (const feature of features) {
    const { properties } = feature;
    const at = Date.parse(String(properties.updated_at));
    const known = items.get(feature.id);
    if (!(at >= second(watch.since)) || (known && known.at >= at)) continue;
    if (!contains(watch.area, feature.geometry.coordinates) || !passes(properties, watch.filters, context)) continue;
    const item = { id: feature.id, at, kind: kindOf(properties, watch), isSeen: false, feature: trimmed(feature) };
    items.set(feature.id, item);
    isChanged = true;
  }
  return isChanged ? limited(watch, [...items.values()].sort((a, b) => b.at - a.at)) : watch;
}

const TOLERANCE = 90_000; // milliseconds by which a clock may be wrong, with the age of cached responses

/**
 * Corrects the start of a watch if the clock of this computer is wrong.
 * @param {Watch} watch @param {number} offset milliseconds that the clock of the server is ahead
 * @returns {Watch}
 */
export function timed(watch, offset) {
  if (watch.isTimed) return watch;
  if (Math.abs(offset) <= TOLERANCE) return { ...watch, isTimed: true };
  const isNew = watch.since === watch.createdAt;
  const [since, createdAt] = [watch.since + offset, isNew ? watch.createdAt + offset : watch.createdAt];
  return { ...watch, isTimed: true, since, createdAt, seenAt: isNew ? since : watch.seenAt };
}

/**
 * The begin of a second: times of devices are whole seconds.
 * @param {number} time
 */
function second(time) { return Math.floor(time / SECOND) * SECOND; }

/** @param {Watch} watch @param {Item[]} items the latest first @returns {Watch} */
function limited(watch, items) {
  const rest = items.slice(MOST_ITEMS);
  return {
    ...watch, items: items.slice(0, MOST_ITEMS),
    dropped: watch.dropped + rest.filter(({ isSeen }) => !isSeen).length,
    // Items that were left out do not come back when the same day is read again.
    since: rest.length ? Math.max(watch.since, rest[0].at + SECOND) : watch.since,
  };
}

/** @param {Record<string, any>} properties @param {Watch} watch @returns {Kind} */
function kindOf(properties, watch) {
  if (['removed', 'not_a_device'].includes(properties.status)) return 'removed';
  if (Date.parse(properties.created_at) >= second(watch.seenAt)) return 'added';
  return properties.status === 'disputed' ? 'disputed' : 'changed';
}

/** @param {DeviceFeature} feature @returns {DeviceFeature} */
function trimmed({ type, id, geometry, properties }) {
  const shown = Object.fromEntries(SHOWN.map((name) => [name, /** @type {any} */ (properties)[name]]));
  return /** @type {DeviceFeature} */ ({ type, id, geometry, properties: shown });
}

/** @param {Watch} watch */
export function newItems(watch) { return watch.items.filter(({ isSeen }) => !isSeen); }

/** @param {Watch} watch */
export function newCount(watch) { return newItems(watch).length + watch.dropped; }

/** @param {Watch} watch @param {number} now @returns {Watch} */
export function seen(watch, now) {
  return {
    ...watch, seenAt: now, dropped: 0, hasGap: false, items: watch.items.map((item) => ({ ...item, isSeen: true })),
  };
}

/**
 * A watch that continues after a pause: events during the pause are not reported.
 * @param {Watch} watch @param {number} now @returns {Watch}
 */
export function resumed(watch, now) { 
  return { ...watch, isPaused: false, since: now, readTo: null, isTimed: false };
}

/**
 * A label without characters that hide or reorder text: without controls, direction marks and long stacks of marks.
 * @param {string} text
 */
export function cleanLabel(text) {
  const plain = text.normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/(?![\u200c\u200d])[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .replace(/\s+/gu, ' ').trim();
  return [...plain].slice(0, LONGEST_LABEL).join('').trim();
}
