// @ts-check
// An organisation that operates devices, as in the API. Pure functions.

/**
 * @typedef {object} Organisation the organisation of the current user
 * @property {string} id
 * @property {string} name
 * @property {'public' | 'company'} kind
 * @property {string} domain
 * @property {string | null} website
 * @property {string | null} contact
 * @property {string | null} data_protection_contact
 * @property {string | null} privacy_policy
 * @property {'waiting' | 'approved' | 'refused'} state
 * @property {{method: 'email' | 'file' | 'manual', done_at: string | null, note: string | null} | null} check
 * @property {string} created_at
 * @property {string | null} decided_at
 * @property {string | null} reason
 * @property {string | null} letters_to address for letters; null: the address of the account
 * @property {string[]} unproven_contacts addresses that pages show but that receive no letters
 * @property {string} version version that the page shows; a decision sends it back
 */
/**
 * @typedef {object} Registered public data of a registered operator
 * @property {string} id
 * @property {string} name
 * @property {string} kind
 * @property {string | null} website
 * @property {string | null} contact
 * @property {string | null} privacy_policy
 * @property {string | null} data_protection_contact
 * @property {string | null} approved_on
 * @property {string | null} checked_by
 * @property {number} devices
 * @property {unknown} [outcomes] input of outcomes/outcomes.js
 */

export const KINDS = Object.freeze(['company', 'public']);

/**
 * The domain in a text, which may be a complete URL or an email address.
 * @param {string} text @returns {string | null} null if the text contains no domain
 */
export function domainOf(text) {
  const host = text.trim().toLowerCase().replace(/^[a-z]+:\/\//, '').replace(/^.*@/,
    '').split(/[/?#:]/)[0].replace(/^www\./, '').replace(/\.$/, '');
  if (host.length > 253 || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) || /^[\d.]+$/.test(host)) return null;
  return host.split('.').every((part) => part.length <= 63 && !part.startsWith('-') && !part.endsWith('-'))
    ? host
    : null;
}

/**
 * Whether an email address is at this domain. Subdomains do not count: they may belong to others.
 * @param {string} address @param {string} domain
 */
export function isAt(address, domain) {
  const [, host, rest] = address.trim().toLowerCase().split('@');
  return rest === undefined && host === domain;
}

/**
 * Whether the organisation has proven control of its domain.
 * @param {Pick<Organisation, 'check'>} organisation
 */
export function isChecked({ check }) {
  return Boolean(check?.done_at);
}

/** @typedef {'done' | 'now' | 'ahead' | 'failed'} Look */

/**
 * The steps to approval: registered, checked, approved.
 * @param {Organisation} organisation
 * @returns {{step: 'registered' | 'checked' | 'approved' | 'refused', at: string | null, look: Look}[]}
 */
export function way(organisation) {
  const { state, check, created_at: created, decided_at: decided } = organisation;
  const checked = isChecked(organisation);
  return [
    { step: 'registered', at: created, look: 'done' },
    { step: 'checked', at: check?.done_at ?? null, look: checked ? 'done' : state === 'waiting' ? 'now' : 'ahead' },
    state === 'refused' ? { step: state, at: decided, look: 'failed' }
      : { step: 'approved', at: decided, look: state === 'approved' ? 'done' : checked ? 'now' : 'ahead' },
  ];
}
