// @ts-check
// What the pages about signing in have in common: one sheet of paper, and the way back.

import { draftsKept } from '../add/waiting.js';
import { byId, fill, h, icon } from '../dom.js';
import { plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { ownPath } from './way-back.js';

/** @typedef {import('../dom.js').Child} Child */

/** Where somebody came from, if that is a page of ours. */
export function then() {
  return ownPath(new URLSearchParams(location.search).get('then'), location.origin);
}

/** A link to another of these pages, which knows the way back too. @param {string} path */
export function withThen(path) {
  const back = then();
  return back ? `${path}?then=${encodeURIComponent(back)}` : path;
}

let isFirst = true;

/**
 * Shows a sheet; one that comes in the place of another gets the focus.
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

/** Says that what was filled in before signing up is not lost; nothing where nothing was. */
export function draftNotice() {
  const count = draftsKept();
  if (!count) return null;
  return h('p', { class: 'aside-note' }, icon('pin'), h('span', {}, plural('account.drafts', count)));
}

/** The ways to the other pages. @param {...[path: string, words: string]} links */
export function otherWays(...links) {
  return h('p', { class: 'other-ways' }, ...links.map(([path, words]) => h('a', { href: withThen(path) }, words)));
}

/** On to where somebody wanted to be. */
export function onward() {
  return h('a', { class: 'button primary', href: then() ?? '/' }, icon(then() ? 'right' : 'map'), translate(then() ? 'account.go_on' : 'account.to_map'));
}
