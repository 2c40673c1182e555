// @ts-check
// Finds records that may describe the same device as a draft. Compares public positions, as the
// server does.

import { getJSON, Refusal } from '../api.js';
import { readDevice } from '../devices/device.js';
import { precisionOf } from '../drafts/draft.js';
import { likelyBox, publicPoint } from '../fields/public-point.js';
import { boxText, distance } from '../geography.js';
import { scheme } from '../taxonomies.js';
import { isAlike } from './alike.js';

/** @typedef {import('../drafts/draft.js').Draft} Draft */
/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {{device: Device, metres: number}} Likely */
/** @typedef {{same: Likely[], others: Likely[]}} Found others: of kinds that collect the same sort of data */

const ITEMS = '/api/collections/devices/items';
const STATUSES = 'reported,confirmed,disputed,removed,not_a_device';
const AROUND = 50; // metres
const MOST = 10;

/**
 * Nearby records that may describe the device of a draft, the nearest first. Returns none when the server cannot be
 * reached, because the server checks again when the draft is sent.
 * @param {Draft} draft
 * @returns {Promise<Found>}
 */
export async function findLikely(draft) {
  const { place, properties } = draft;
  if (!place || !properties.category) return { same: [], others: [] };
  const precision = precisionOf(draft);
  const point = publicPoint(precision, place);
  const own = properties.category;
  try {
    const [kinds, data, answer] = await Promise.all([
      scheme('categories'), scheme('data'),
      getJSON(`${ITEMS}?bbox=${boxText(likelyBox(precision, place, AROUND))}&status=${STATUSES}&limit=100`),
    ]);
    /** @type {Likely[]} */
    const near = answer.features.map(readDevice).map((/** @type {Device} */ device) => ({
      device, metres: distance(point, device.position),
    }));
    const likely = near.filter(({ device, metres }) => isAlike(device, own, precision, kinds, data)
      && (precision !== 'exact' || metres <= AROUND)).sort((a, b) => a.metres - b.metres);
    const isSame = (/** @type {Likely} */ { device }) => device.category === own || device.status === 'not_a_device';
    return { same: likely.filter(isSame).slice(0, MOST), others: likely.filter((one) => !isSame(one)) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return { same: [], others: [] };
  }
}
