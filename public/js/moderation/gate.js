// @ts-check
// Access to the pages for moderators and admins. Other visitors see which requirement they do not meet.

import { fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { onSession, whenSession } from '../session.js';

/** @typedef {import('../session.js').Account} Account */

const RANKS = ['contributor', 'operator', 'moderator', 'admin'];

/**
 * The reason why an account has no access to a page; null if it has access.
 * @param {Account | null} account
 * @param {'moderator' | 'admin'} role
 * @returns {'signed_out' | 'role' | 'second_factor' | 'suspended' | null}
 */
function obstacle(account, role) {
  if (!account) return 'signed_out';
  if (RANKS.indexOf(account.role) < RANKS.indexOf(role)) return 'role';
  if (account.suspended) return 'suspended';
  if (!account.second_factor.enabled) return 'second_factor';
  return null;
}

/**
 * Draws the page if the account has access, otherwise the missing requirement. Redraws when the account changes.
 * @param {HTMLElement} place
 * @param {'moderator' | 'admin'} role
 * @param {(account: Account) => void} draw
 */
export async function guarded(place, role, draw) {
  /** @type {string | null | undefined} */
  let shown;
  /** @param {Account | null} account */
  const look = (account) => {
    const missing = obstacle(account, role);
    const state = missing ?? `as ${account?.id}`;
    if (state === shown) return;
    shown = state;
    if (missing || !account) refuse(place, missing ?? 'signed_out');
    else draw(account);
  };
  onSession((session) => look(session?.account ?? null));
  look((await whenSession())?.account ?? null);
}

/** @param {HTMLElement} place @param {'signed_out' | 'role' | 'second_factor' | 'suspended'} reason */
function refuse(place, reason) {
  const here = encodeURIComponent(location.pathname);
  const way = {
    signed_out: h('a', { class: 'button primary', href: `/sign-in?then=${here}` }, icon('sign-in'),
      translate('menu.sign_in')),
    second_factor: h('a', { class: 'button primary', href: '/account' }, icon('account'), translate('menu.my_account')),
    role: h('a', { class: 'button', href: '/' }, icon('map'), translate('menu.map')),
    suspended: h('a', { class: 'button', href: '/account' }, icon('account'), translate('menu.my_account')),
  }[reason];
  fill(place, h('div', { class: 'refusal' },
    h('span', { class: 'empty-mark' }, icon('warning')),
    h('h1', { tabindex: '-1' }, translate(`order.gate.${reason}`)),
    h('p', {}, translate(`order.gate.${reason}.more`)), way));
}
