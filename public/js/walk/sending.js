// @ts-check
// The requests that an answer of the street walk needs.

import { getAnswer, send } from '../api.js';
import { say } from '../claims/say.js';
import { readDevice } from '../devices/device.js';
import { answerOf } from '../drafts/sending.js';
import { translate } from '../i18n.js';
import { patchOf } from './answer.js';

/** @typedef {import('./answer.js').WalkAnswer} WalkAnswer */
/** @typedef {import('../drafts/delivery.js').Answer} Reply */

/** @param {WalkAnswer} answer @returns {Promise<Reply>} */
export function sendVerdict({ device, verdict }) {
  return answerOf(say(device, { claim: 'present', verdict, basis: 'seen' }));
}

/**
 * Adds the facts that the device still lacks. Facts that another person has added meanwhile stay.
 * @param {WalkAnswer} answer @returns {Promise<Reply>}
 */
export async function sendFacts({ device, facts }) {
  const reply = await answerOf(addFacts(device, facts));
  // Another person changed the device between the two requests: read it again.
  return reply.kind === 'refused' && reply.trouble.status === 412 ? { kind: 'silent' } : reply;
}

/** @param {string} id @param {WalkAnswer['facts']} facts */
async function addFacts(id, facts) {
  const address = `/api/collections/devices/items/${encodeURIComponent(id)}`;
  const found = await getAnswer(address);
  const properties = facts && patchOf(facts, readDevice(found.body));
  if (!properties) return null;
  return send('PATCH', address, {
    json: { properties, comment: translate('walk.comment') },
    headers: { 'Content-Type': 'application/merge-patch+json', 'If-Match': found.headers.get('ETag') ?? '*' },
  });
}
