// @ts-check
// The displayed name of a device of which a response has only the stored name, such as an entry of a ledger.

import { getJSON } from '../api.js';
import { h } from '../dom.js';
import { scheme } from '../taxonomies.js';
import { readDevice } from './device.js';
import { displayName, isMade, prepareName } from './name.js';

/**
 * An element with the name. A name that only repeats its category is replaced by the one that the page of the device
 * shows, once it is known; it stays if the device is gone.
 * @param {{id: string, name: string, category: string}} part
 */
export function lateName(part) {
  const element = h('bdi', {}, part.name);
  complete(element, part).catch(() => undefined);
  return element;
}

/** @param {HTMLElement} element @param {{id: string, name: string, category: string}} part */
async function complete(element, { id, name, category }) {
  await scheme('categories');
  // Responses lack the manufacturer of an «Axis camera».
  const words = name.split(' ');
  const mayBeMade = words.some((_, first) => (
    isMade(readDevice({ id, properties: { category, name: words.slice(first).join(' ') } }))));
  if (!mayBeMade) return;
  const device = readDevice(await getJSON(`/api/collections/devices/items/${encodeURIComponent(id)}`));
  // A ledger may have the name of an earlier day.
  if (device.name !== name || !isMade(device)) return;
  await prepareName(device);
  element.textContent = displayName(device);
}
