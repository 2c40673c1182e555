// @ts-check
// The displayed name of a device of which a response has only the stored name, such as an entry of a ledger.

import { getJSON, Refusal } from '../api.js';
import { h } from '../dom.js';
import { allTerms, scheme } from '../taxonomies.js';
import { readDevice } from './device.js';
import { displayName, isMade, prepareName, shownName } from './name.js';

/**
 * @typedef {{id: string, name: string, category?: string | null}} NamedPart some responses lack the category
 */

const AT_ONCE = 4; // requests for devices

/** @type {Map<string, Promise<string>>} by device and stored name */
const asked = new Map();
/** @type {Promise<unknown>[]} the last request of each turn */
const turns = Array(AT_ONCE).fill(Promise.resolve());
let turn = 0;

/**
 * An element with the name. A name that only repeats its category is replaced by the one that the page of the device
 * shows, once it is known.
 * @param {NamedPart} part
 */
export function lateName(part) {
  const element = h('bdi', {});
  withName(part, (name) => { element.textContent = name; });
  return element;
}

/**
 * An element with the name as far as this browser can make it: without a request, so without the nearest town.
 * @param {NamedPart} part
 */
export function localName(part) {
  const element = h('bdi', {}, shortName(part));
  scheme('categories').then(() => { element.textContent = shortName(part); }).catch(() => undefined);
  return element;
}

/**
 * Calls `use` with the name known now, and again if the displayed name is another one.
 * @param {NamedPart} part @param {(name: string) => void} use
 */
export function withName(part, use) {
  const first = shortName(part);
  use(first);
  nameOf(part).then((name) => { if (name !== first) use(name); });
}

/**
 * The displayed name. Of a device that is gone or was renamed, the name it was known by, without a town.
 * @param {NamedPart} part
 * @returns {Promise<string>}
 */
export function nameOf(part) {
  const key = `${part.id} ${part.name}`;
  const known = asked.get(key);
  if (known) return known;
  const name = find(part).catch((error) => {
    if (!(error instanceof Refusal)) asked.delete(key); // an outage: the next caller asks again
    return shortName(part);
  });
  asked.set(key, name);
  return name;
}

/** @param {NamedPart} part */
async function find(part) {
  await scheme('categories');
  if (!mayBeMade(part)) return part.name;
  const answer = inTurn(() => getJSON(`/api/collections/devices/items/${encodeURIComponent(part.id)}`));
  const device = readDevice(await answer);
  // A ledger may have the name of an earlier day.
  if (device.name !== part.name) return shortName(part);
  await prepareName(device);
  return displayName(device);
}

/**
 * Whether the stored name may repeat the category. Responses lack the manufacturer of an «Axis camera».
 * @param {NamedPart} part
 */
function mayBeMade({ name, category }) {
  const words = name.split(' ');
  const categories = category ? [category] : [...allTerms('categories')?.keys() ?? []];
  return categories.some((one) => (
    words.some((_, first) => isMade(stored({ name: words.slice(first).join(' '), category: one })))));
}

/** @param {NamedPart} part */
function shortName(part) {
  return shownName(stored(part), null);
}

/** @param {{name: string, category?: string | null}} part */
function stored({ name, category }) {
  return readDevice({ properties: { category, name } });
}

/**
 * Runs requests a few at a time.
 * @template T @param {() => Promise<T>} request @returns {Promise<T>}
 */
function inTurn(request) {
  turn = (turn + 1) % AT_ONCE;
  const answer = turns[turn].then(request, request);
  turns[turn] = answer.catch(() => undefined);
  return answer;
}
