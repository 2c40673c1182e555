// @ts-check
// The part of the menu that is about oneself: signing in, or one's own pages and signing out.

import { wayBackTo } from '../account/way-back.js';
import { partWithDrafts } from '../add/waiting.js';
import { partWithLedger } from '../choices/kept.js';
import { fill, h, icon } from '../dom.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { maybeSignedIn, onSession, session, signOut, whenSession } from '../session.js';
import { toast } from './notices.js';

/** @typedef {import('../session.js').Account} Account */

/** A list that follows who is signed in. */
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
  return h('a', { href, 'aria-current': location.pathname === href ? 'page' : null }, icon(symbol), h('span', {}, words));
}

/** The way back is read when one goes, because the view of the map stands in the address. @param {MouseEvent} event */
function withWayBack(event) {
  const anchor = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  anchor.search = wayBackTo(location);
}

function nobody() {
  const links = [link('/sign-in', 'sign-in', translate('menu.sign_in')), link('/sign-up', 'account-new', translate('menu.sign_up'))];
  for (const anchor of links) {
    anchor.addEventListener('click', withWayBack);
    anchor.addEventListener('auxclick', withWayBack);
  }
  return links;
}

/** Not known yet, for want of a connection. */
function someone() {
  return [link('/account', 'account', translate('menu.my_account'))];
}

/** @param {Account} account */
function links({ username, role, confirmed, suspended, second_factor: factor }) {
  const isMissing = !confirmed || suspended !== null || (factor.required && !factor.enabled);
  const moderates = role === 'moderator' || role === 'admin';
  return [
    h('p', { class: 'menu-name' }, h('span', { class: 'visually-hidden' }, translate('menu.signed_in_as'), ' '), h('bdi', {}, username)),
    h('a', { href: '/account', 'aria-current': location.pathname === '/account' ? 'page' : null },
      icon('account'), h('span', {}, translate('menu.my_account')),
      isMissing && h('span', { class: 'chip is-on' }, translate('menu.something_missing'))),
    confirmed && link(`/people/${encodeURIComponent(username)}`, 'history', translate('menu.my_contributions')),
    role === 'operator' && link('/operator', 'mail', translate('menu.inbox')),
    confirmed && link('/data-requests', 'eye', translate('menu.data_requests')),
    moderates && link('/moderation', 'queue', translate('menu.moderation')),
    role === 'admin' && link('/admin', 'settings', translate('menu.administration')),
    h('button', { type: 'button', onclick: leave }, icon('sign-out'), h('span', {}, translate('menu.sign_out'))),
  ];
}

async function leave() {
  if (!await partWithDrafts() || !await partWithLedger()) return;
  // A session that somebody wants to end must not go on because of an outage.
  if (await steadily(saidOver(document.body), signOut)) toast(translate('menu.signed_out'));
}
