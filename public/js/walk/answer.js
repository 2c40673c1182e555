// @ts-check
// An answer of the street walk, from the tap until the server has it. Pure: the outbox performs the requests.

import { pause } from '../drafts/delivery.js';

/** @typedef {import('../claims/claims.js').Verdict} Verdict */
/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('../drafts/delivery.js').Answer} Reply */
/** @typedef {import('../drafts/delivery.js').Sender} Sender */
/** @typedef {import('./carry.js').Facts} Facts */
/**
 * @typedef {object} WalkAnswer
 * @property {string} device its id
 * @property {string} name
 * @property {import('../types').Position} position public position of the device
 * @property {Verdict} verdict
 * @property {Facts | null} facts what the notice says, for the fields that the device lacks
 * @property {'verdict' | 'facts' | 'sent' | 'refused'} stage the request that is due
 * @property {string | null} trouble why the server refused it
 * @property {string | null} account id of the account that gave it; null: a visitor
 * @property {number} count attempts without a response
 * @property {number} nextAt milliseconds since 1970
 */

/** Milliseconds in which a wrong tap can be undone. Until then nothing is sent. */
export const GRACE = 6_000;

/**
 * @param {Device} device @param {Verdict} verdict @param {{name: string, account: string | null, now: number}} given
 * @returns {WalkAnswer}
 */
export function newAnswer(device, verdict, { name, account, now }) {
  return {
    device: device.id, name, position: device.position, verdict, facts: null, stage: 'verdict', trouble: null, account,
    count: 0, nextAt: now + GRACE,
  };
}

/**
 * Adds what the notice says. If the answer was sent already, only the facts are sent.
 * @param {WalkAnswer} answer @param {Facts} facts @param {number} now
 * @returns {WalkAnswer}
 */
export function withFacts(answer, facts, now) {
  if (!facts.operator && !facts.signage) return answer;
  return answer.stage === 'sent' ? { ...answer, facts, stage: 'facts', count: 0, nextAt: now } : { ...answer, facts };
}

/** @param {WalkAnswer} answer */
export function isWaiting({ stage }) { return stage === 'verdict' || stage === 'facts'; }

/**
 * The next step: a request, or when to look again. Infinity: not before another event, such as signing in.
 * @param {WalkAnswer} answer @param {Sender} sender @param {number} now
 * @returns {{act: 'verdict' | 'facts'} | {act: 'wait', until: number}}
 */
export function nextStep(answer, sender, now) {
  const { stage, account, nextAt } = answer;
  if (stage === 'sent' || stage === 'refused') return { act: 'wait', until: Infinity };
  const isTheirs = sender !== null && sender.confirmed && !sender.suspended
    && (account === null || account === sender.id);
  if (!isTheirs) return { act: 'wait', until: Infinity };
  return nextAt > now ? { act: 'wait', until: nextAt } : { act: stage };
}

/**
 * Applies the response to the request that was due.
 * @param {WalkAnswer} answer @param {'verdict' | 'facts'} step the request that was answered
 * @param {Reply} reply @param {number} now
 * @returns {WalkAnswer}
 */
export function answered(answer, step, reply, now) {
  if (answer.stage !== step) return answer; // changed in another tab meanwhile
  switch (reply.kind) {
    case 'taken': {
      const isLeft = step === 'verdict' && answer.facts !== null;
      return { ...answer, stage: isLeft ? 'facts' : 'sent', trouble: null, count: 0, nextAt: now };
    }
    case 'refused': return { ...answer, stage: 'refused', trouble: reply.trouble.detail };
    case 'held': return answer;
    default: {
      const count = answer.count + 1;
      return { ...answer, count, nextAt: now + Math.max(reply.after ?? 0, pause(count)) };
    }
  }
}

/**
 * Ends the pause after failed attempts, because the connection is back.
 * @param {WalkAnswer} answer @param {number} now
 * @returns {WalkAnswer}
 */
export function awake(answer, now) {
  return answer.count > 0 && answer.nextAt > now ? { ...answer, nextAt: now } : answer;
}

/**
 * The change of a device with the facts that it still lacks; null if it lacks none.
 * @param {Facts} facts @param {Device} device as it is now
 */
export function patchOf({ operator, signage }, device) {
  /** @type {Record<string, unknown>} */
  const properties = {};
  const isKnown = device.operator.name !== null || (device.operator.kind ?? 'unknown') !== 'unknown';
  if (operator && !isKnown) properties.operator = { name: operator.name, kind: operator.kind };
  if (signage && !device.properties.signage) properties.signage = signage;
  return Object.keys(properties).length ? properties : null;
}

/**
 * How many devices a walk checked, and how many answers are not sent.
 * @param {readonly WalkAnswer[]} answers
 */
export function counts(answers) {
  const of = (/** @type {(answer: WalkAnswer) => boolean} */ is) => answers.filter(is).length;
  return {
    checked: answers.length, there: of(({ verdict }) => verdict === 'confirm'),
    gone: of(({ verdict }) => verdict === 'dispute'), waiting: of(isWaiting),
    refused: of(({ stage }) => stage === 'refused'),
  };
}
