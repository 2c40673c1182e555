// @ts-check
// The account part of the menu: links to sign in, or the user’s own pages and a button to sign out.

import { leave } from '../leaving/leave.js';
import { fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { wayBackTo } from '../page/way-back.js';
import { maybeSignedIn, onSession, session, whenSession } from '../session.js';

/** @typedef {import('../session.js').Account} Account */

/** A list that changes when the user signs in or out. */
export function accountMenu() {
  const place = h('nav', { class: 'menu-links menu-account', 'aria-label': translate('menu.account') });
  const draw = () => {
    const account = session()?.account;
    fill(place, account ? links(account) : maybeSignedIn() ? someone() : nobody());
  };
  draw();
  onSession(draw);
  whenSession().then(draw);
  return place;
}

/** @param {string} href @param {string} symbol @param {string} words */
function link(href, symbol, words) {
  return h('a', { href, 'aria-current': location.pathname === href ? 'page' : null }, icon(symbol),
    h('span', {}, words));
}

/**
 * Reads the return address on the click, because it contains the current view of the map.
 * @param {MouseEvent} event
 */
function withWayBack(event) {
  const anchor = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  anchor.search = wayBackTo(location);
}

function nobody() {
  const links = [
    link('/sign-in', 'sign-in', translate('menu.sign_in')), link('/sign-up', 'account-new', translate('menu.sign_up')),
  ];
  for (const anchor of links) {
    anchor.addEventListener('click', withWayBack);
    anchor.addEventListener('auxclick', withWayBack);
  }
  return links;
}

/** The session is not known yet because the server cannot be reached. */
function someone() {
  return [link('/account', 'account', translate('menu.my_account'))];
}

/** @param {Account} account */
function links({ username, role, confirmed, suspended, second_factor: factor }) {
  const isMissing = !confirmed || suspended !== null || (factor.required && !factor.enabled);
  const moderates = role === 'moderator' || role === 'admin';
  return [
    h('p', { class: 'menu-name' }, h('span', { class: 'visually-hidden' }, translate('menu.signed_in_as'), ' '),
      h('bdi', {}, username)),
    h('a', { href: '/account', 'aria-current': location.pathname === '/account' ? 'page' : null },
      icon('account'), h('span', {}, translate('menu.my_account')),
      isMissing && h('span', { class: 'chip is-on' }, translate('menu.something_missing'))),
    confirmed && link(`/people/${encodeURIComponent(username)}`, 'history', translate('menu.my_contributions')),
    role === 'operator' && link('/operator', 'mail', translate('menu.inbox')),
    link('/watches', 'feed', translate('menu.watches')),
    confirmed && link('/lists', 'list', translate('menu.lists')),
    confirmed && link('/data-requests', 'eye', translate('menu.data_requests')),
    moderates && link('/moderation', 'queue', translate('menu.moderation')),
    role === 'admin' && link('/admin', 'settings', translate('menu.administration')),
    h('button', { type: 'button', onclick: leaveAndSay }, icon('sign-out'), h('span', {}, translate('menu.sign_out'))),
  ];
}

async function leaveAndSay() {
  if (await leave()) toast(translate('menu.signed_out'));
}
