// @ts-check
// An organisation that answers for devices, as the interface gives it. Pure.

/**
 * @typedef {object} Organisation one's own
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
 * @property {string | null} letters_to where letters are mailed; null: to the account
 * @property {string[]} unproven_contacts shown, but not written to
 * @property {string} version names what is shown; a decision sends it back
 */
/**
 * @typedef {object} Registered as everybody may know it
 * @property {string} id
 * @property {string} name
 * @property {string} kind
 * @property {string | null} website
 * @property {string | null} privacy_policy
 * @property {string | null} data_protection_contact
 * @property {string | null} approved_on
 * @property {string | null} checked_by
 * @property {number} devices
 * @property {any} [outcomes] as outcomes/outcomes.js reads them
 */

export const KINDS = Object.freeze(['company', 'public']);

/**
 * A domain as people write it, with or without what stands around it in an address.
 * @param {string} text @returns {string | null} null: it is none
 */
export function domainOf(text) {
  const host = text.trim().toLowerCase().replace(/^[a-z]+:\/\//, '').replace(/^.*@/, '').split(/[/?#:]/)[0].replace(/^www\./, '').replace(/\.$/, '');
  if (host.length > 253 || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) || /^[\d.]+$/.test(host)) return null;
  return host.split('.').every((part) => part.length <= 63 && !part.startsWith('-') && !part.endsWith('-')) ? host : null;
}

/**
 * Whether an address is at a domain; what lies below one may be anybody's.
 * @param {string} address @param {string} domain
 */
export function isAt(address, domain) {
  const [, host, rest] = address.trim().toLowerCase().split('@');
  return rest === undefined && host === domain;
}

/**
 * Whether a check of the domain has been passed.
 * @param {Pick<Organisation, 'check'>} organisation
 */
export function isChecked({ check }) {
  return Boolean(check?.done_at);
}

/** @typedef {'done' | 'now' | 'ahead' | 'failed'} Look */

/**
 * The way to approval: registered, checked, approved.
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
