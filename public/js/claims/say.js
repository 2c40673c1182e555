// @ts-check
// Sends a statement about a claim.

import { getJSON, send } from '../api.js';

/** @typedef {import('./claims.js').ClaimName} ClaimName */
/** @typedef {import('./claims.js').Verdict} Verdict */

/** @param {string} id id of the device */
const address = (id) => `/api/collections/devices/items/${encodeURIComponent(id)}/claims`;

/**
 * @param {string} id id of the device
 * @param {{claim: ClaimName, verdict: Verdict, basis: string, note?: string | null}} word
 * @throws {import('../api.js').Refusal | import('../api.js').Outage}
 */
export async function say(id, { claim, verdict, basis, note }) {
  await send('POST', address(id), { json: { claim, verdict, basis, ...(note ? { note } : {}) } });
}

/**
 * The claims, including the statements of the signed-in user.
 * @param {string} id id of the device
 * @returns {Promise<any>} as the API returns them
 */
export async function claimsOf(id) {
  return (await getJSON(address(id))).claims;
}
