// @ts-check
// The town nearest to a position. One request serves several positions, and the responses are stored.

import { getJSON } from '../api.js';
import { language } from '../i18n.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {import('../types').NearPlace} NearPlace */

const LIMIT = 50; // positions that the server accepts at once
const MOST = 2_000; // stored positions
const PATIENCE = 250; // milliseconds that a list waits for the names of places

/** @type {Map<string, NearPlace | null>} */
const known = new Map();

/**
 * About eleven metres: more digits would only make the address longer.
 * @param {Position} position
 */
function keyOf([longitude, latitude]) {
  return `${longitude.toFixed(4)},${latitude.toFixed(4)}`;
}

/**
 * The town nearest to a position, if it is stored. Null: no town is near; undefined: not requested yet.
 * @param {Position} position
 */
export function knownPlace(position) {
  return known.get(keyOf(position));
}

/**
 * Stores towns from another response.
 * @param {Position[]} positions @param {(NearPlace | null)[]} places of the first positions
 */
export function keepPlaces(positions, places) {
  if (known.size > MOST) known.clear();
  places.forEach((place, at) => {
    if (positions[at]) known.set(keyOf(positions[at]), place);
  });
}

/**
 * Requests the towns nearest to some positions and stores them for `knownPlace`. If the server cannot be reached, the
 * page works without them.
 * @param {Position[]} positions
 */
export async function findPlaces(positions) {
  const missing = [...new Set(positions.map(keyOf))].filter((key) => !known.has(key));
  if (known.size > MOST) known.clear();
  for (let first = 0; first < missing.length; first += LIMIT) {
    const keys = missing.slice(first, first + LIMIT);
    const query = keys.map((key) => `near=${key}`).join('&');
    const answer = await getJSON(`/api/places/nearest?${query}&lang=${language()}`).catch(() => null);
    if (!answer) return;
    keys.forEach((key, place) => known.set(key, answer.places?.[place] ?? null));
  }
}

/**
 * Asks for towns, and resolves after a short time at the latest.
 * @param {Position[]} positions
 * @param {() => void} [late] called when the answers arrive after that time
 */
export async function findPlacesSoon(positions, late) {
  let isLate = false;
  const asked = findPlaces(positions).then(() => { if (isLate) late?.(); });
  await Promise.race([asked, new Promise((resolve) => { setTimeout(resolve, PATIENCE); })]);
  isLate = true;
}
