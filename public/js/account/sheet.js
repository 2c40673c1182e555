// @ts-check
// Shared parts of the pages about signing in: one panel, and the link back to the page the visitor
// came from.

import { byId, fill, h, icon } from '../dom.js';
import { draftsKept } from '../drafts/waiting.js';
import { plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { ownPath } from '../page/way-back.js';

/** @typedef {import('../dom.js').Child} Child */

/** Path of the page the visitor came from, if it belongs to this site; otherwise null. */
export function returnPath() {
  return ownPath(new URLSearchParams(location.search).get('then'), location.origin);
}

/**
 * Adds the path to return to, so that the next of these pages knows it too.
 * @param {string} path
 */
export function withReturnPath(path) {
  const back = returnPath();
  return back ? `${path}?then=${encodeURIComponent(back)}` : path;
}

let isFirst = true;

/**
 * Shows a panel. It receives the focus if it replaces another panel.
 * @param {{title: string, symbol?: string, lead?: Child}} head
 * @param {...Child} parts
 */
export function showSheet({ title, symbol, lead }, ...parts) {
  document.title = `${title} · ${instanceName()}`;
  const heading = h('h1', { tabindex: '-1' }, title);
  fill(byId('content'), h('div', { class: 'sheet' },
    symbol ? h('span', { class: 'sheet-mark', 'aria-hidden': 'true' }, icon(symbol)) : null,
    heading, lead ? h('p', { class: 'lead' }, lead) : null, ...parts));
  if (!isFirst) {
    heading.focus();
    scrollTo(0, 0);
  }
  isFirst = false;
}

/** Notice that drafts written before signing up are not lost; null without drafts. */
export function draftNotice() {
  const count = draftsKept();
  if (!count) return null;
  return h('p', { class: 'aside-note' }, icon('pin'), h('span', {}, plural('account.drafts', count)));
}

/**
 * Links to the other pages about signing in.
 * @param {...[path: string, words: string]} links
 */
export function otherWays(...links) {
  return h('p', { class: 'other-ways' },
    ...links.map(([path, words]) => h('a', { href: withReturnPath(path) }, words)));
}

/** Link that continues to the page the visitor came from, or to the map. */
export function continueLink() {
  return h('a', { class: 'button primary', href: returnPath() ?? '/' }, icon(returnPath() ? 'right' : 'map'),
    translate(returnPath() ? 'account.go_on' : 'account.to_map'));
}
