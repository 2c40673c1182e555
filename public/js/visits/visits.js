// @ts-check
// Visits as the server describes them, and the addresses of their interface. Pure.

import { boxText, middleOf } from '../geography.js';
import { readDevice } from '../devices/device.js';

/** @typedef {import('../types').Box} Box */
/** @typedef {import('../types').Point} Point */
/** @typedef {{id: string, name: string, category: string, position: Point}} VisitDevice */
/**
 * A request for a visit, for a person who takes part in it.
 * @typedef {object} Visit
 * @property {string} id
 * @property {VisitDevice | null} device null: it was deleted
 * @property {string} reason
 * @property {boolean} from_street whether to look from the street only
 * @property {string} state
 * @property {string} asked_at
 * @property {string} state_at
 * @property {string | null} due_at
 * @property {string | null} planned_for
 * @property {string | null} outcome
 * @property {string | null} closed_at
 * @property {string | null} closed_because
 * @property {number} offers
 * @property {'asker' | 'visitor' | 'offer' | 'none'} mine
 * @property {string[]} may what the reader may do now
 */
/** @typedef {{id: string, reason: string, open_to_all: boolean, asked_on: string}} OpenRequest */
/**
 * A device that needs a visit.
 * @typedef {object} Needed
 * @property {VisitDevice} device
 * @property {string[]} reasons
 * @property {boolean} from_street
 * @property {OpenRequest | null} request
 * @property {number | null} metres
 */
/** @typedef {{id: string, offered_at: string, ends_at: string, distance_km: number, visit: Visit}} Offer */
/** @typedef {{offer: Offer | null, visits: Visit[], volunteer_state: string}} Now */

export const VISITS = '/api/visits';
/** Reasons for which people ask, the most common first. */
export const ASKED = Object.freeze(['still_there', 'photo_notice', 'check_details']);
/** All reasons by which the list filters. */
export const REASONS = Object.freeze([
  ...ASKED, 'mapping_day', 'stale', 'disputed', 'single_report', 'approximate', 'no_photo',
]);
/** Reports of a volunteer who could not look at the device. */
export const OBSTACLES = Object.freeze(['not_found', 'not_accessible', 'unsafe']);

const LARGEST = 4; // square degrees that one request may cover
const HOUR = 3_600_000; // milliseconds
/** Hours from now between which a visit is planned. A little more than the two that the server demands. */
const SOONEST = 2;
const LATEST = 14 * 24;

/** @param {string} id */
export function addressOf(id) { return `${VISITS}/${encodeURIComponent(id)}`; }

/**
 * The largest part around the middle of a box that one request may cover.
 * @param {Box} box
 * @returns {Box}
 */
export function allowedBox(box) {
  const [west, south, , north] = box;
  const width = box[2] >= west ? box[2] - west : box[2] + 360 - west;
  const height = north - south;
  if (width * height <= LARGEST) return box;
  // Rounding must not exceed the limit.
  const share = Math.sqrt(LARGEST / (width * height)) * 0.999;
  const [longitude, latitude] = middleOf(box);
  const [half, rise] = [(width * share) / 2, (height * share) / 2];
  const wrapped = (/** @type {number} */ degrees) => (degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360
    : degrees);
  return [wrapped(longitude - half), latitude - rise, wrapped(longitude + half), latitude + rise];
}

/**
 * The request for devices that need a visit.
 * @param {{box: Box, reasons: readonly string[], categories: readonly string[], cursor?: string | null}} wanted
 */
export function listPath({ box, reasons, categories, cursor }) {
  const query = new URLSearchParams({ bbox: boxText(allowedBox(box)) });
  if (reasons.length) query.set('reason', reasons.join(','));
  if (categories.length) query.set('category', categories.join(','));
  if (cursor) query.set('cursor', cursor);
  return `${VISITS}?${query}`;
}

/**
 * A device of a visit, as other parts of the pages expect devices.
 * @param {VisitDevice} device
 */
export function asDevice({ id, name, category, position }) {
  return readDevice({ id, geometry: position, properties: { name, category } });
}

/**
 * The address that opens the map application of the person (RFC 5870).
 * @param {VisitDevice} device
 */
export function geoAddress({ name, position }) {
  const [longitude, latitude] = position.coordinates;
  const at = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
  return `geo:${at}?q=${at}(${encodeURIComponent(name)})`;
}

/**
 * Whole minutes until a time, rounded up; 0 if it has passed.
 * @param {string} until RFC 3339 @param {number} now milliseconds since 1970
 */
export function minutesLeft(until, now) {
  return Math.max(0, Math.ceil((Date.parse(until) - now) / 60_000));
}

/**
 * A time as an input of the type `datetime-local` has it: in the time zone of the browser.
 * @param {number} milliseconds since 1970
 */
export function localInput(milliseconds) {
  const offset = new Date(milliseconds).getTimezoneOffset() * 60_000;
  return new Date(milliseconds - offset).toISOString().slice(0, 16);
}

/**
 * The times between which a visit can be planned, for an input.
 * @param {number} now milliseconds since 1970
 */
export function planLimits(now) {
  const minute = 60_000;
  const first = Math.ceil((now + SOONEST * HOUR) / minute) * minute + 5 * minute;
  return { min: localInput(first), max: localInput(now + LATEST * HOUR) };
}

/**
 * Reads the value of the input; null if it is not a time that can be planned.
 * @param {string} text local time @param {number} now milliseconds since 1970
 * @returns {string | null} RFC 3339
 */
export function plannedFor(text, now) {
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) ? new Date(text).getTime() : NaN;
  if (Number.isNaN(at) || at < now + SOONEST * HOUR || at > now + LATEST * HOUR) return null;
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/**
 * The target of the link in a mail: `#offer=ID` or `#visit=ID`.
 * @param {string} hash
 * @returns {{kind: 'offer' | 'visit', id: string} | null}
 */
export function mailedIn(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  for (const kind of /** @type {const} */ (['offer', 'visit'])) {
    const id = values.get(kind);
    if (id) return { kind, id };
  }
  return null;
}
