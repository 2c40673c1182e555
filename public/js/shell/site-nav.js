// @ts-check
// The main pages in the bar at the top, on screens with room for them. On smaller screens the menu lists them.

import { fill, h } from '../dom.js';
import { translate } from '../i18n.js';
import { wayBackTo } from '../page/way-back.js';
import { maybeSignedIn, onSession, session } from '../session.js';

const PAGES = [
  ['/', 'nav.map'], ['/learn', 'nav.learn'], ['/choices', 'nav.choices'], ['/operators', 'nav.operators'],
  ['/statistics', 'nav.statistics'], ['/about', 'nav.about'],
];

export function siteNav() {
  const account = h('span', { class: 'site-account' });
  const draw = () => {
    const isSignedIn = Boolean(session()) || maybeSignedIn();
    fill(account, isSignedIn ? link('/account', 'nav.account') : signIn());
  };
  onSession(draw);
  draw();
  return h('nav', { class: 'site-nav', 'aria-label': translate('nav.label') },
    ...PAGES.map(([href, key]) => link(href, key)), account);
}

/** @param {string} href @param {string} key */
function link(href, key) {
  return h('a', { href, 'aria-current': location.pathname === href ? 'page' : null }, translate(key));
}

/** Reads the return address on the click, because it contains the current view of the map. */
function signIn() {
  const anchor = /** @type {HTMLAnchorElement} */ (link('/sign-in', 'nav.sign_in'));
  for (const event of ['click', 'auxclick']) {
    anchor.addEventListener(event, () => { anchor.search = wayBackTo(location); });
  }
  return anchor;
}
