// @ts-check
// The messages for refused requests and outages.

import { Outage, Refusal } from '../api.js';
import { h } from '../dom.js';
import { translate } from '../i18n.js';

/**
 * One sentence that includes the wrong fields.
 * @param {unknown} error @returns {string}
 * @throws other errors
 */
export function trouble(error) {
  if (error instanceof Outage) return error.message || translate('outage');
  if (!(error instanceof Refusal)) throw error;
  const words = [error.message, ...(error.problem.errors ?? []).map((fault) => fault.detail)];
  return words.filter((one, place) => one && words.indexOf(one) === place).join(' ');
}

/**
 * The address of the sign-in page, with the page to return to.
 * @param {string} [then] path to return to; by default the current page
 */
export function signInAddress(then = `${location.pathname}${location.search}${location.hash}`) {
  return `/sign-in?then=${encodeURIComponent(then)}`;
}

/**
 * The same sentence, with a link to continue if there is one.
 * @param {unknown} error
 * @param {string} [then] path to return to after signing in
 * @returns {(Node | string)[]}
 * @throws other errors
 */
export function troubleNodes(error, then) {
  const words = h('span', {}, trouble(error));
  if (!(error instanceof Refusal)) return [words];
  if (error.status === 401) return [words, ' ', h('a', { href: signInAddress(then) }, translate('menu.sign_in'))];
  return error.kind === 'unconfirmed'
    ? [words, ' ', h('a', { href: '/account' }, translate('menu.my_account'))]
    : [words];
}
