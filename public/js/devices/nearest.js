// @ts-check
// The nearest device, if there is no device around a position.

import { getJSON } from '../api.js';
import { formatDistance, wind } from '../format.js';
import { bearingTo, distance } from '../geography.js';
import { language, translate } from '../i18n.js';
import { ITEMS } from './list-request.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {import('../types').Box} Box */

/**
 * The nearest device to a position, with a sentence such as «Nearest: 800 m north-west»; null if it is inside a box, or
 * if the map has no device.
 * @param {Position} here @param {Box} box around the position @param {URLSearchParams} filters
 * @returns {Promise<{position: Position, words: string} | null>}
 */
export async function nearestBeyond(here, [west, south, east, north], filters) {
  const parameters = new URLSearchParams(filters);
  parameters.set('near', here.map((edge) => edge.toFixed(5)).join(','));
  parameters.set('sortby', 'distance');
  parameters.set('limit', '1');
  const answer = await getJSON(`${ITEMS}?${parameters}`).catch(() => null);
  /** @type {Position | undefined} */
  const position = answer?.features?.[0]?.geometry.coordinates;
  if (!position) return null;
  const [x, y] = position;
  if (x >= west && x <= east && y >= south && y <= north) return null;
  return {
    position,
    words: translate('locate.nearest', {
      distance: formatDistance(distance(here, position), language()),
      wind: translate(`wind.${wind(bearingTo(here, position))}`),
    }),
  };
}
