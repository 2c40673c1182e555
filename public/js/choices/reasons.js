// @ts-check
// Reasons of operators for an extension or a refusal: the codes of seed/rights/rights.json. Pure.

export const EXTENSION_REASONS = Object.freeze(['complexity', 'number']);

/**
 * Reasons to refuse. A reason with a list of rights applies only to these.
 * @type {readonly [code: string, rights: readonly string[] | null][]}
 */
export const REFUSAL_REASONS = Object.freeze([
  ['no_data', null], ['identity', null], ['not_controller', null], ['unfounded', null], ['excessive', null],
  ['others', ['access', 'portability']],
  ['law_requires', ['erase']], ['public_authority', ['erase']], ['expression', ['erase']], ['archive', ['erase']],
  ['claims', ['erase', 'object']],
  ['compelling', ['object']], ['accurate', ['rectify']], ['exempt', null], ['outside', null], ['other', null],
]);

/**
 * Reasons that an event can have for a right.
 * @param {string} event @param {string | null} right @returns {readonly string[]}
 */
export function reasonsFor(event, right) {
  if (event === 'extended') return EXTENSION_REASONS;
  if (event !== 'refused') return [];
  return REFUSAL_REASONS.filter(([, rights]) => rights === null || (right !== null && rights.includes(right)))
    .map(([code]) => code);
}
