// @ts-check
// The next steps of a person if no contact of the operator is known.

import { editAddress } from '../devices/tools.js';
import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';

/** @typedef {import('../ledger/ledger.js').Choice} Choice */
/** @typedef {import('./letter-text.js').Help} Help */

/**
 * The steps, each with its reason and an optional link.
 * @param {Choice} choice @param {Help} help
 */
export function nextSteps({ device, country, right }, { register, authority }) {
  const isAmerican = country === 'US';
  return h('div', { class: 'next-steps' },
    h('p', {}, translate('letter.to.unknown'), ' ', translate('next.intro')),
    h('ol', { class: 'points' },
      step('sign', isAmerican ? 'next.sign.what' : 'next.sign.law'),
      step('house', right === 'records' ? 'next.clerk.what' : 'next.house.what'),
      isAmerican && step('agency', 'next.agency.what'),
      register?.url && step('register', 'next.register.what', outside(register.url, register.name)),
      authority && step('authority', isAmerican ? 'next.attorney.what' : 'next.authority.what',
        authority.url ? outside(authority.url, authority.name) : authority.name)),
    h('p', {}, translate('next.found'), ' ',
      h('a', { href: editAddress(device.id, 'operator') }, translate('letter.to.add'))));
}

/** @param {string} name @param {string} what @param {Node | string} [link] */
function step(name, what, link) {
  return h('li', {}, h('strong', {}, translate(`next.${name}`)), ' ', translate(what), link && ' ', link);
}

/** @param {string} href @param {string} words */
function outside(href, words) {
  return h('a', { href, rel: 'noopener noreferrer', target: '_blank' }, words, icon('external'));
}
