// @ts-check
// Requests of the outbox, and the meaning of each response for a draft.

import { Outage, Refusal, send } from '../api.js';
import { translate } from '../i18n.js';

/** @typedef {import('./draft.js').Draft} Draft */
/** @typedef {import('./draft.js').DraftPhoto} DraftPhoto */
/** @typedef {import('./delivery.js').Answer} Answer */

const ITEMS = '/api/collections/devices/items';
/** Status codes that mean «retry later»: timeout, same request in progress, rate limit, server error. */
const LATER = [408, 425, 429, 500];

/**
 * @param {Draft} draft
 * @returns {Promise<Answer>}
 */
export function sendDevice(draft) {
  return answerOf(send('POST', ITEMS, {
    json: JSON.parse(draft.attempt?.body ?? '{}'), headers: { 'Idempotency-Key': draft.key },
  }));
}

/**
 * @param {Draft} draft @param {DraftPhoto} photo @param {Blob} picture
 * @returns {Promise<Answer>}
 */
export function sendPhoto(draft, photo, picture) {
  const form = new FormData();
  form.append('image', picture, 'photo');
  form.append('alt', photo.alt);
  return answerOf(send('POST', `${ITEMS}/${encodeURIComponent(draft.device ?? '')}/photos`, {
    form, headers: { 'Idempotency-Key': photo.key },
  }));
}

/**
 * The meaning of a response for what was sent.
 * @param {Promise<import('../api.js').Answer | null | void>} sent @returns {Promise<Answer>}
 */
export async function answerOf(sent) {
  try {
    return { kind: 'taken', id: String((await sent)?.body?.id ?? '') };
  } catch (error) {
    if (error instanceof Refusal) return refusal(error);
    if (error instanceof Outage) return { kind: 'silent' };
    throw error;
  }
}

/** @param {Refusal} refused @returns {Answer} */
function refusal(refused) {
  const { status, problem } = refused;
  if (status === 401
    || (status === 403
      && ['unconfirmed', 'suspended', 'csrf-token', 'second-factor-enrolment-required'].includes(refused.kind))) {
    return { kind: 'held' };
  }
  if (LATER.includes(status)) {
    return { kind: 'silent', after: (refused.retryAfter ?? 0) * 1_000, limited: status === 429 };
  }
  return {
    kind: 'refused',
    trouble: {
      status, type: refused.kind || null, detail: problem.detail ?? problem.title ?? translate('error.unexpected'),
      errors: Array.isArray(problem.errors) ? problem.errors : [],
      candidates: Array.isArray(problem.candidates) ? problem.candidates : [],
    },
  };
}
