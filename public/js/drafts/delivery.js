// @ts-check
// Decides when and how a draft is sent, and how each response changes it. Pure: the outbox performs
// the requests.

import { feature, missing } from './draft.js';

/** @typedef {import('./draft.js').Draft} Draft */
/** @typedef {import('./draft.js').DraftPhoto} DraftPhoto */
/** @typedef {import('./draft.js').Trouble} Trouble */
/** @typedef {import('../types').Suspension} Suspension */
/** @typedef {{id: string, confirmed: boolean, suspended: Suspension | null} | null} Sender the signed-in user */
/**
 * Next step for a draft. Reasons to wait: `sign-in`, `confirm` (the address is not confirmed),
 * `account` (the draft belongs to another account), `suspended`, `limit` (rate limit of the
 * account), `time` (retry delay).
 * @typedef {{act: 'none'} | {act: 'wait', why: Why, until?: number} | {act: 'device'}
 *   | {act: 'photo', photo: DraftPhoto}} Next
 */
/** @typedef {'sign-in' | 'confirm' | 'account' | 'suspended' | 'limit' | 'time'} Why */
/**
 * Response of the server. `after`: milliseconds to wait, set by the server. `limited`: the account
 * has reached its rate limit.
 * @typedef {{kind: 'taken', id: string} | {kind: 'refused', trouble: Trouble} | {kind: 'held'}
 *   | {kind: 'silent', after?: number, limited?: boolean}} Answer
 */

const FIRST_PAUSE = 5_000; // milliseconds
const LONGEST_PAUSE = 300_000;

/**
 * Milliseconds before the next attempt.
 * @param {number} count attempts without a response
 */
export function pause(count) {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.max(0, count - 1));
}

/**
 * Puts a draft in the outbox. Has no effect if the draft is in the outbox already.
 * @param {Draft} draft
 * @param {Sender} sender
 * @param {number} now
 * @returns {Draft}
 */
export function handedOver(draft, sender, now) {
  if (missing(draft).length || (draft.stage !== 'open' && draft.stage !== 'refused')) return draft;
  return {
    ...draft, stage: 'waiting', updatedAt: now, trouble: null, account: sender?.id ?? draft.account,
    attempt: { body: JSON.stringify(feature(draft)), count: 0, nextAt: now, underway: false },
  };
}

/**
 * @param {Draft} draft @param {Sender} sender @param {number} now
 * @returns {Next}
 */
export function nextStep(draft, sender, now) {
  const photo = draft.stage === 'photos' ? draft.photos.find((one) => one.state === 'waiting') : undefined;
  if (draft.stage !== 'waiting' && !photo) return { act: 'none' };
  const why = hindrance(draft, sender);
  if (why) return { act: 'wait', why };
  if (draft.attempt && draft.attempt.nextAt > now) {
    return { act: 'wait', why: draft.attempt.limited ? 'limit' : 'time', until: draft.attempt.nextAt };
  }
  return photo ? { act: 'photo', photo } : { act: 'device' };
}

/**
 * @param {Draft} draft @param {Sender} sender
 * @returns {Why | null}
 */
function hindrance(draft, sender) {
  if (!sender) return 'sign-in';
  if (draft.account && draft.account !== sender.id) return 'account';
  if (!sender.confirmed) return 'confirm';
  return sender.suspended ? 'suspended' : null;
}

/**
 * Marks the start of an attempt. From here on the server may have received the draft.
 * @param {Draft} draft @param {Sender} sender @returns {Draft}
 */
export function underway(draft, sender) {
  return {
    ...draft, account: sender?.id ?? draft.account, attempt: draft.attempt && { ...draft.attempt, underway: true },
  };
}

/**
 * Applies the response to the request that adds the device.
 * @param {Draft} draft
 * @param {Answer} answer
 * @param {number} now
 * @param {string} key new idempotency key for another attempt after a refusal
 * @returns {Draft}
 */
export function deviceAnswered(draft, answer, now, key) {
  switch (answer.kind) {
    case 'taken': {
      const left = draft.photos.some((photo) => photo.state !== 'sent');
      return {
        ...draft, device: answer.id, trouble: null, updatedAt: now, stage: left ? 'photos' : 'sent',
        attempt: left ? waiting(now) : null,
      };
    }
    case 'refused':
      return { ...draft, stage: 'refused', trouble: answer.trouble, attempt: null, updatedAt: now, key };
    case 'held': // the server did not accept the account, so it has not stored the device
      return { ...draft, attempt: draft.attempt && { ...draft.attempt, underway: false } };
    default:
      return later(draft, now, answer);
  }
}

/**
 * Applies the response to a photo upload. A refused photo remains in the draft with the reason,
 * until the user corrects or removes it.
 * @param {Draft} draft
 * @param {DraftPhoto} photo
 * @param {Answer} answer
 * @param {number} now
 * @returns {Draft}
 */
export function photoAnswered(draft, photo, answer, now) {
  if (answer.kind === 'held') return draft;
  if (answer.kind === 'silent') return later(draft, now, answer);
  const photos = draft.photos.map((one) => (one.id !== photo.id ? one : {
    ...one, state: answer.kind === 'taken' ? /** @type {const} */ ('sent') : /** @type {const} */ ('refused'),
    trouble: answer.kind === 'refused' ? answer.trouble.detail : null,
  }));
  return settled({ ...draft, photos, attempt: waiting(now), updatedAt: now });
}

/**
 * Removes a refused photo from the draft, or sends it again with a new description.
 * @param {Draft} draft
 * @param {string} id
 * @param {{key: string, now: number} | null} again null: remove the photo
 * @returns {Draft}
 */
export function photoMended(draft, id, again) {
  const photos = again
    ? draft.photos.map((photo) => (photo.id === id
      ? { ...photo, key: again.key, state: /** @type {const} */ ('waiting'), trouble: null }
      : photo))
    : draft.photos.filter((photo) => photo.id !== id);
  return settled({ ...draft, photos, attempt: draft.stage === 'photos' ? waiting(again?.now ?? 0) : draft.attempt });
}

/** @param {Draft} draft @returns {Draft} */
function settled(draft) {
  if (draft.stage !== 'photos' || draft.photos.some((photo) => photo.state !== 'sent')) return draft;
  return { ...draft, stage: 'sent', attempt: null };
}

/** @param {number} now @returns {import('./draft.js').Attempt} */
function waiting(now) {
  return { body: '', count: 0, nextAt: now, underway: false };
}

/** @param {Draft} draft @param {number} now @param {{after?: number, limited?: boolean}} answer @returns {Draft} */
function later(draft, now, { after = 0, limited = false }) {
  if (!draft.attempt) return draft;
  const count = draft.attempt.count + 1;
  const attempt = { ...draft.attempt, count, limited, nextAt: now + Math.max(after, pause(count)) };
  return { ...draft, attempt: limited ? { ...attempt, underway: false } : attempt };
}

/**
 * Ends the retry delay, because the connection is back.
 * @param {Draft} draft @param {number} now @returns {Draft}
 */
export function awake(draft, now) {
  return draft.attempt && !draft.attempt.limited && draft.attempt.nextAt > now
    ? { ...draft, attempt: { ...draft.attempt, nextAt: now } }
    : draft;
}
