// @ts-check
// The four claims that contributors can verify about a device. Each is confirmed, disputed or open.
// Pure.

/** @typedef {'present' | 'function' | 'data' | 'operator'} ClaimName */
/** @typedef {'confirm' | 'dispute'} Verdict */
/**
 * @typedef {object} Claim
 * @property {ClaimName} claim
 * @property {'confirmed' | 'disputed' | 'open'} verdict overall result
 * @property {string[]} basis sources that the contributors stated
 * @property {number} confirmations
 * @property {number} disputes
 * @property {string | null} lastAt day of the latest statement
 * @property {string | null} staleOn day from which a new check is due
 * @property {Verdict | null} mine statement of the signed-in user
 */

/** In the order of the page. */
const CLAIMS = /** @type {readonly ClaimName[]} */ (Object.freeze(['present', 'function', 'data', 'operator']));
/** Sources of knowledge, the most certain first. */
export const BASES = Object.freeze(['seen', 'sign', 'document', 'operator', 'inferred']);

const DUE_DAYS = 60; // days before the stale day, the same as on the server

/** @param {unknown} value */
function count(value) {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** @param {unknown} value @returns {string | null} */
function day(value) {
  return typeof value === 'string' && value ? value : null;
}

/**
 * All four claims, including those without statements.
 * @param {unknown} list as the API returns them
 * @returns {Claim[]}
 */
export function readClaims(list) {
  const given = Array.isArray(list) ? list : [];
  return CLAIMS.map((name) => {
    const claim = given.find((one) => one?.claim === name) ?? {};
    return {
      claim: name,
      verdict: ['confirmed', 'disputed'].includes(claim.verdict) ? claim.verdict : 'open',
      basis: (Array.isArray(claim.basis) ? claim.basis : [claim.basis])
        .filter((/** @type {unknown} */ one) => typeof one === 'string'),
      confirmations: count(claim.confirmations),
      disputes: count(claim.disputes),
      lastAt: day(claim.last_at),
      staleOn: day(claim.stale_on),
      mine: ['confirm', 'dispute'].includes(claim.mine) ? claim.mine : null,
    };
  });
}

/**
 * Whether the answer of the signed-in user counts. Answers of new accounts count after a review, answers of the
 * author of the device never.
 * @param {Pick<Claim, 'mine' | 'confirmations' | 'disputes'>} claim
 * @returns {'none' | 'counted' | 'uncounted'}
 */
export function ownAnswer({ mine, confirmations, disputes }) {
  if (!mine) return 'none';
  return (mine === 'confirm' ? confirmations : disputes) > 0 ? 'counted' : 'uncounted';
}

/**
 * How recently a device was checked.
 * @param {string | null} staleOn ISO day
 * @param {string} today ISO day
 * @returns {'fresh' | 'due' | 'stale'}
 */
export function freshness(staleOn, today) {
  const [stale, now] = [staleOn ?? '', today].map((text) => Date.parse(`${text.slice(0, 10)}T00:00:00Z`));
  if (Number.isNaN(stale)) return 'fresh';
  if (stale <= now) return 'stale';
  return stale - now <= DUE_DAYS * 86_400_000 ? 'due' : 'fresh';
}

/**
 * Whether a device needs a new check. A removed device does not.
 * @param {{status: string, properties: {stale_on?: string | null}}} device @param {string} today
 */
export function asksForALook(device, today) {
  if (device.status === 'removed' || device.status === 'not_a_device') return false;
  return freshness(device.properties.stale_on ?? null, today) !== 'fresh';
}

/**
 * The statement in a link: «present.confirm». The link only opens the question; it never sends a
 * statement.
 * @param {string} query
 * @returns {{claim: ClaimName, verdict: Verdict} | null}
 */
export function askedVerdict(query) {
  const [claim, verdict] = (new URLSearchParams(query).get('say') ?? '').split('.');
  const name = CLAIMS.find((one) => one === claim);
  return name && (verdict === 'confirm' || verdict === 'dispute') ? { claim: name, verdict } : null;
}
