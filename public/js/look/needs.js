// @ts-check
// Which devices need a look, and why. Pure.

import { asksForALook } from '../claims/claims.js';
import { boxText, destination, wrapLongitude } from '../geography.js';

/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('../types').Position} Position */
/** @typedef {'disputed' | 'old' | 'unconfirmed' | 'operator' | 'data'} Reason */

const DUE_DAYS = 60; // days before the stale day, as on the server
const DAY = 86_400_000; // milliseconds
/** Metres around the person, tried in this order. */
export const REACHES = Object.freeze([1_500, 10_000, 60_000]);
const PAGE = 20;
const FURTHER = 'stale_on,observed_on,manufacturer,bearings,last_confirmed,created_at,source,field_of_view';

/**
 * The condition (CQL2) for devices that lack facts, are old, or are unconfirmed.
 * @param {Date} today
 */
export function condition(today) {
  const due = new Date(today.getTime() + DUE_DAYS * DAY).toISOString().slice(0, 10);
  return `status IN ('reported','disputed') OR (status = 'confirmed' AND (stale_on <= DATE('${due}') `
    + "OR data_collected IS NULL OR (operator IS NULL AND operator_kind = 'unknown')))";
}

/**
 * The request for the devices nearest to a position that need a look.
 * @param {Position} here @param {number} reach metres @param {Date} today
 */
export function needsPath(here, reach, today) {
  const [[, north], [east], [, south], [west]] = [0, 90, 180, 270].map((way) => destination(here, way, reach));
  const parameters = new URLSearchParams({
    bbox: boxText([wrapLongitude(west), Math.max(-90, south), wrapLongitude(east), Math.min(90, north)]),
    near: here.map((edge) => edge.toFixed(5)).join(','), sortby: 'distance', limit: String(PAGE),
    properties: FURTHER, filter: condition(today),
  });
  return `/api/collections/devices/items?${parameters}`;
}

/**
 * The parameters of the feed with the devices of a list.
 * @param {string} path of the list
 */
export function feedParameters(path) {
  const parameters = new URLSearchParams(path.split('?')[1]);
  for (const name of ['near', 'sortby', 'limit', 'properties']) parameters.delete(name);
  return parameters;
}

/**
 * Why a device needs a look; the most pressing first.
 * @param {Device} device @param {string} today ISO day
 * @returns {Reason[]}
 */
export function reasons(device, today) {
  /** @type {Reason[]} */
  const found = [];
  if (device.status === 'disputed') found.push('disputed');
  if (asksForALook(device, today)) found.push('old');
  if (device.status === 'reported') found.push('unconfirmed');
  if (!device.operator.name && (device.operator.kind ?? 'unknown') === 'unknown') found.push('operator');
  if (!device.dataCollected.length) found.push('data');
  return found;
}

/**
 * The position in an address: «?near=-16.92,32.65».
 * @param {string} query @returns {Position | null}
 */
export function positionIn(query) {
  const text = new URLSearchParams(query).get('near') ?? '';
  if (!/^-?\d{1,3}(\.\d{1,15})?,-?\d{1,2}(\.\d{1,15})?$/.test(text)) return null;
  const [longitude, latitude] = text.split(',').map(Number);
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? [longitude, latitude] : null;
}
