// @ts-check
// Asks a visitor to sign in before answering, and says why.

import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { signInAddress } from '../page/trouble.js';

/**
 * Why an answer needs an account, and the way to it. After signing in the same question is open.
 * @param {string} id of the device @param {string} claim @param {import('./claims.js').Verdict} verdict
 */
export function signInToSay(id, claim, verdict) {
  const back = `/devices/${id}?say=${claim}.${verdict}#claim-${claim}`;
  return h('div', { class: 'claim-sign-in' },
    h('p', {}, translate('claim.sign_in')),
    h('a', { class: 'button primary', href: signInAddress(back) }, icon('sign-in'), translate('menu.sign_in')));
}
