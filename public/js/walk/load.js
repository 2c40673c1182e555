// @ts-check
// Loads the devices around the person. The server learns a rounded area of at least three kilometres, and the service
// worker keeps the answers for a walk without a connection.

import { getJSON } from '../api.js';
import { readDevice } from '../devices/device.js';
import { blockAround, blockPath, CELLS } from './area.js';
import { canBeChecked } from './order.js';

/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('../types').Position} Position */

const PAGES = 5; // of a thousand devices each

/**
 * The devices of a block, from all pages of the list.
 * @param {string} first path of the first page
 * @returns {Promise<Device[]>}
 */
async function all(first) {
  /** @type {Device[]} */
  const devices = [];
  /** @type {string | null} */
  let path = first;
  for (let page = 0; path && page < PAGES; page += 1) {
    /** @type {import('../types').DevicePage} */
    const answer = await getJSON(path);
    devices.push(...answer.features.map(readDevice));
    /** @type {string | undefined} */
    const next = answer.links?.find(({ rel }) => rel === 'next')?.href;
    path = next ? pathOf(next) : null;
  }
  return devices;
}

/** @param {string} address */
function pathOf(address) {
  const { pathname, search } = new URL(address, location.origin);
  return `${pathname}${search}`;
}

/**
 * The devices to check in the smallest block that has one.
 * @param {Position} here @param {Date} now
 * @returns {Promise<{block: string, devices: Device[]}>} `block`: changes when the person leaves the cell
 */
export async function devicesAround(here, now) {
  const today = now.toISOString().slice(0, 10);
  /** @type {Device[]} */
  let devices = [];
  for (const size of CELLS) {
    devices = (await all(blockPath(blockAround(here, size), now))).filter((device) => canBeChecked(device, today));
    if (devices.length) break;
  }
  return { block: blockOf(here), devices };
}

/** @param {Position} here */
export function blockOf(here) { return blockAround(here, CELLS[0]).join(','); }
