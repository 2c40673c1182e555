// @ts-check
// Which device the street walk leads to. Pure.

import { asksForALook } from '../claims/claims.js';
import { bearingTo, distance, uncertainty } from '../geography.js';

/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('../types').Position} Position */
/** @typedef {'disputed' | 'old' | 'unconfirmed' | 'operator' | 'signage'} Reason */

/** Metres within which a person stands before a device. */
export const HERE = 12;
/** Metres by which another device must be nearer before the walk leads there instead. Positions of phones waver. */
const CLEARLY = 20;
const FARTHEST = 2_000; // metres that a person is asked to walk
const ROUGHEST = 100; // metres; the place of a coarser device cannot be found on foot

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
  if (lacksOperator(device) && !isHousehold(device)) found.push('operator');
  if (!device.properties.signage && !isHousehold(device)) found.push('signage');
  return found;
}

/** @param {Device} device */
export function lacksOperator(device) {
  return !device.operator.name && (device.operator.kind ?? 'unknown') === 'unknown';
}

/** @type {Set<string>} codes of categories that are found in homes */
const households = new Set();

/**
 * Notes the categories that are found in homes, when the page has the vocabulary.
 * @param {Iterable<import('../types').Term>} categories
 */
export function noteHouseholds(categories) {
  for (const { code, household } of categories) if (household) households.add(code);
}

/**
 * Whether the device belongs to a household. The category decides as well, because few such operators are known.
 * @param {Device} device
 */
export function isHousehold({ operator, category }) {
  return operator.kind === 'household' || households.has(category);
}

/**
 * Whether the device needs a look and a person can find it on the street. A missing notice alone is no reason to go,
 * and the page leads no person into a home.
 * @param {Device} device @param {string} today ISO day
 */
export function canBeChecked(device, today) {
  if (isHousehold(device) && device.properties.setting === 'indoor') return false;
  return (uncertainty(device.precision) ?? 0) <= ROUGHEST
    && reasons(device, today).some((reason) => reason !== 'signage');
}

/**
 * The devices within reach, the nearest first.
 * @param {Device[]} devices @param {Position} here
 * @returns {{device: Device, metres: number, bearing: number}[]}
 */
export function byDistance(devices, here) {
  return devices
    .map((device) => ({
      device, metres: distance(here, device.position), bearing: bearingTo(here, device.position),
    }))
    .filter(({ metres }) => metres <= FARTHEST)
    .sort((a, b) => a.metres - b.metres || (a.device.id < b.device.id ? -1 : 1));
}

/**
 * The device to lead to. The present one stays until another is clearly nearer.
 * @param {ReturnType<typeof byDistance>} sorted @param {string | null} current id of the present one
 * @param {boolean} isChosen whether the person chose the present one
 */
export function target(sorted, current, isChosen) {
  const [nearest] = sorted;
  const present = sorted.find(({ device }) => device.id === current);
  if (!present || !nearest) return nearest ?? null;
  if (isChosen || present.metres <= 2 * HERE) return present;
  return nearest.metres + CLEARLY < present.metres ? nearest : present;
}
