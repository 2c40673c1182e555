// @ts-check
// Records that may be of the same device: public points only, as the server compares them.

import { getJSON, Refusal } from '../api.js';
import { readDevice } from '../devices/device.js';
import { likelyBox, publicPoint } from '../fields/public-point.js';
import { boxText, distance } from '../geography.js';
import { scheme } from '../taxonomies.js';
import { precisionOf } from './draft.js';

/** @typedef {import('./draft.js').Draft} Draft */
/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {{device: Device, metres: number}} Likely */

const ITEMS = '/api/collections/devices/items';
const STATUSES = 'reported,confirmed,disputed,removed,not_a_device';
const AROUND = 50; // metres
const MOST = 5;

/**
 * Records of the same kind, or of one that sees the same, beside a draft; none where nobody can say.
 * @param {Draft} draft
 * @returns {Promise<Likely[]>}
 */
export async function findLikely(draft) {
  const { place, properties } = draft;
  if (!place || !properties.category) return [];
  const precision = precisionOf(draft);
  const point = publicPoint(precision, place);
  try {
    const [terms, answer] = await Promise.all([
      scheme('categories'), getJSON(`${ITEMS}?bbox=${boxText(likelyBox(precision, place, AROUND))}&status=${STATUSES}&limit=100`),
    ]);
    const kin = kinOf(terms, properties.category);
    return answer.features.map(readDevice)
      .filter((/** @type {Device} */ device) => (precision === 'exact' ? kin.has(device.category) : device.category === properties.category))
      .map((/** @type {Device} */ device) => ({ device, metres: distance(point, device.position) }))
      .filter((/** @type {Likely} */ one) => precision !== 'exact' || one.metres <= AROUND)
      .sort((/** @type {Likely} */ a, /** @type {Likely} */ b) => Number(b.device.category === properties.category) - Number(a.device.category === properties.category) || a.metres - b.metres)
      .slice(0, MOST);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return []; // out of reach: the server looks itself when the draft is sent
  }
}

/** Data of kinds that people take for one another. */
const ALIKE = ['video', 'still_image', 'plate', 'radio_id'];

/**
 * Kinds that people take for one another: those that collect some of the same.
 * @param {Map<string, import('../taxonomies.js').Term>} terms @param {string} code
 */
function kinOf(terms, code) {
  const own = (terms.get(code)?.collects ?? []).filter((/** @type {string} */ data) => ALIKE.includes(data));
  const kin = [...terms.values()].filter((term) => (term.collects ?? []).some((/** @type {string} */ data) => own.includes(data))).map((term) => term.code);
  return new Set([code, ...kin]);
}
