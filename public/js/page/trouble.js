// @ts-check
// What a page says when the server refused or could not be reached.

import { Outage, Refusal } from '../api.js';
import { h } from '../dom.js';
import { translate } from '../i18n.js';

/**
 * One sentence, the fields at fault included.
 * @param {unknown} error @returns {string}
 * @throws what is neither a refusal nor an outage
 */
export function trouble(error) {
  if (error instanceof Outage) return error.message || translate('outage');
  if (!(error instanceof Refusal)) throw error;
  const words = [error.message, ...(error.problem.errors ?? []).map((fault) => fault.detail)];
  return words.filter((one, place) => one && words.indexOf(one) === place).join(' ');
}

/**
 * Where one signs in and comes back from.
 * @param {string} [then] path to come back to; by default the page one is on
 */
export function signInAddress(then = `${location.pathname}${location.search}${location.hash}`) {
  return `/sign-in?then=${encodeURIComponent(then)}`;
}

/**
 * The same sentence, with the way on where there is one.
 * @param {unknown} error
 * @param {string} [then] path to come back to after signing in
 * @returns {(Node | string)[]}
 * @throws what is neither a refusal nor an outage
 */
export function troubleNodes(error, then) {
  const words = h('span', {}, trouble(error));
  if (!(error instanceof Refusal)) return [words];
  if (error.status === 401) return [words, ' ', h('a', { href: signInAddress(then) }, translate('menu.sign_in'))];
  return error.kind === 'unconfirmed' ? [words, ' ', h('a', { href: '/account' }, translate('menu.my_account'))] : [words];
}
