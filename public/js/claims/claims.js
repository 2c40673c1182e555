// @ts-check
// What people say of a device: four claims, each confirmed, disputed or open. Pure.

/** @typedef {'present' | 'function' | 'data' | 'operator'} ClaimName */
/** @typedef {'confirm' | 'dispute'} Verdict */
/**
 * @typedef {object} Claim
 * @property {ClaimName} claim
 * @property {'confirmed' | 'disputed' | 'open'} verdict what comes of all that was said
 * @property {string[]} basis how those know who said it
 * @property {number} confirmations
 * @property {number} disputes
 * @property {string | null} lastAt the day on which somebody last said something
 * @property {string | null} staleOn the day it asks to be looked at again
 * @property {Verdict | null} mine what the reader says
 */

/** In the order of the page. */
export const CLAIMS = /** @type {readonly ClaimName[]} */ (Object.freeze(['present', 'function', 'data', 'operator']));
/** How one may know, the surest first. */
export const BASES = Object.freeze(['seen', 'sign', 'document', 'operator', 'inferred']);

const DUE_DAYS = 60; // before the stale day, as the server counts

/** @param {any} value */
function count(value) {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** @param {any} value @returns {string | null} */
function day(value) {
  return typeof value === 'string' && value ? value : null;
}

/**
 * All four claims, those that nobody spoke of among them.
 * @param {any} list as the interface gives it
 * @returns {Claim[]}
 */
export function readClaims(list) {
  const given = Array.isArray(list) ? list : [];
  return CLAIMS.map((name) => {
    const claim = given.find((one) => one?.claim === name) ?? {};
    return {
      claim: name,
      verdict: ['confirmed', 'disputed'].includes(claim.verdict) ? claim.verdict : 'open',
      basis: (Array.isArray(claim.basis) ? claim.basis : [claim.basis]).filter((/** @type {any} */ one) => typeof one === 'string'),
      confirmations: count(claim.confirmations),
      disputes: count(claim.disputes),
      lastAt: day(claim.last_at),
      staleOn: day(claim.stale_on),
      mine: ['confirm', 'dispute'].includes(claim.mine) ? claim.mine : null,
    };
  });
}

/**
 * How recently somebody looked at a device.
 * @param {string | null} staleOn ISO day @param {string} today ISO day
 * @returns {'fresh' | 'due' | 'stale'}
 */
export function freshness(staleOn, today) {
  const [stale, now] = [staleOn ?? '', today].map((text) => Date.parse(`${text.slice(0, 10)}T00:00:00Z`));
  if (Number.isNaN(stale)) return 'fresh';
  if (stale <= now) return 'stale';
  return stale - now <= DUE_DAYS * 86_400_000 ? 'due' : 'fresh';
}

/**
 * Whether a device asks to be looked at again. One that is gone does not.
 * @param {{status: string, properties: Record<string, any>}} device @param {string} today
 */
export function asksForALook(device, today) {
  if (device.status === 'removed' || device.status === 'not_a_device') return false;
  return freshness(device.properties.stale_on ?? null, today) !== 'fresh';
}

/**
 * What a link asks to be said: «present.confirm». It only opens the question; nothing is said by a link.
 * @param {string} query
 * @returns {{claim: ClaimName, verdict: Verdict} | null}
 */
export function askedVerdict(query) {
  const [claim, verdict] = (new URLSearchParams(query).get('say') ?? '').split('.');
  const name = CLAIMS.find((one) => one === claim);
  return name && (verdict === 'confirm' || verdict === 'dispute') ? { claim: name, verdict } : null;
}
