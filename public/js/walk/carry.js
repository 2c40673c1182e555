// @ts-check
// Facts that fit the next devices of a street: «same operator, same notice?». Pure.

import { distance } from '../geography.js';
import { isHousehold, lacksOperator } from './order.js';

/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('../types').Position} Position */
/**
 * The facts that a person read at one device.
 * @typedef {object} Facts
 * @property {{name: string, kind: string} | null} operator
 * @property {string | null} signage code of `signage`
 */
/** @typedef {Facts & {device: string, name: string, position: Position}} Seen `device` is its id */

const STREET = 300; // metres: farther away, another operator is as likely

/**
 * The facts of a device whose presence the person confirmed.
 * @param {Device} device @param {Partial<Facts>} [read] what the person read in addition
 * @returns {Seen}
 */
export function seenAt(device, read = {}) {
  const { name, kind } = device.operator;
  return {
    device: device.id, name: device.name, position: device.position,
    operator: read.operator ?? (name && !isHousehold(device) ? { name, kind: kind ?? 'unknown' } : null),
    signage: read.signage ?? device.properties.signage ?? null,
  };
}

/**
 * The facts that a device lacks. The page does not ask for facts of a household.
 * @param {Device} device
 */
export function gaps(device) {
  if (isHousehold(device)) return { operator: false, signage: false };
  return { operator: lacksOperator(device), signage: !device.properties.signage };
}

/**
 * The facts that may fit a device, from the nearest device of the street that has one that is missing here.
 * @param {Device} device @param {readonly Seen[]} seen
 * @returns {Seen | null} without the facts that the device has already
 */
export function carried(device, seen) {
  const lacks = gaps(device);
  const near = seen
    .filter((one) => one.device !== device.id
      && ((lacks.operator && one.operator !== null) || (lacks.signage && one.signage !== null)))
    .map((one) => ({ one, metres: distance(one.position, device.position) }))
    .filter(({ metres }) => metres <= STREET)
    .sort((a, b) => a.metres - b.metres)[0]?.one;
  if (!near) return null;
  return { ...near, operator: lacks.operator ? near.operator : null, signage: lacks.signage ? near.signage : null };
}
