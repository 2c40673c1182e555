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

/** @typedef {import('./device.js').Device} Device */

const AT_ONCE = 50; // devices in a request, whose address then has 2 kB
const PROPERTIES = 'name,category,manufacturer,operator';
const STATUSES = 'reported,confirmed,disputed,removed,not_a_device';

/** @type {Map<string, Promise<string>>} by device and stored name */
const asked = new Map();
/** @type {Batch | null} the next request */
let batch = null;

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
  const device = await soon(part.id);
  // It is gone; or a ledger has the name of an earlier day.
  if (device?.name !== part.name) return shortName(part);
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

/** Devices that one request asks for. */
class Batch {
  /** @type {Set<string>} */
  ids = new Set();
  devices = this.#ask();

  async #ask() {
    await new Promise((resolve) => { setTimeout(resolve, 0); });
    if (batch === this) batch = null;
    const query = new URLSearchParams({
      ids: [...this.ids].join(','), status: STATUSES, properties: PROPERTIES, limit: String(AT_ONCE),
    });
    const { features } = await getJSON(`/api/collections/devices/items?${query}`);
    return new Map(features.map(readDevice).map((/** @type {Device} */ device) => [device.id, device]));
  }
}

/**
 * Asks for a device together with those that are wanted at the same time. One that is gone is missing in the response,
 * where a request for it alone would be an error in the console of the browser.
 * @param {string} id
 * @returns {Promise<Device | undefined>}
 */
async function soon(id) {
  if (!batch || batch.ids.size === AT_ONCE) batch = new Batch();
  batch.ids.add(id);
  return (await batch.devices).get(id);
}
