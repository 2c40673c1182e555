// @ts-check
// Messages for pages about operators that have no content: the reason, and links to continue.

import { Refusal, Outage, connection, getJSON } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { signInAddress } from '../page/trouble.js';
import { whenSession } from '../session.js';

/** @typedef {import('../dom.js').Child} Child */

/**
 * A page with one message.
 * @param {{title: string, words: Child, symbol?: string}} message @param {...Child} ways
 */
export function showLost({ title, words, symbol = 'question' }, ...ways) {
  document.title = `${title} · ${instanceName()}`;
  fill(byId('content'), h('div', { class: 'refusal' },
    h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon(symbol)),
    h('h1', { tabindex: '-1' }, title), h('p', {}, words), h('div', { class: 'form-acts' }, ...ways)));
}

/** The link to the list of operators. */
export function toOperators() {
  return h('a', { class: 'button', href: '/operators' }, icon('list'), translate('operators.title'));
}

/** @param {string} [then] */
export function toSignIn(then) {
  return h('a', { class: 'button primary', href: signInAddress(then) }, icon('sign-in'), translate('menu.sign_in'));
}

/**
 * Loads and draws a page. Waits during an outage, and shows the error if the server refuses the request.
 * @param {() => Promise<void>} show @param {(refusal: Refusal) => void} refused
 * @returns {Promise<void>}
 */
export async function attempt(show, refused) {
  try {
    await show();
  } catch (error) {
    if (error instanceof Outage) return connection.recovered().then(() => attempt(show, refused));
    if (!(error instanceof Refusal)) throw error;
    refused(error);
  }
  return undefined;
}

/**
 * The message for a refused request on a page for operators.
 * @param {Refusal} refusal
 */
export function notTheirs(refusal) {
  if (refusal.kind === 'no-organisation' || refusal.status === 403) showRole();
  else showLost({ title: translate('list.trouble'), words: refusal.message, symbol: 'warning' }, toOperators());
}

function showRole() {
  showLost({ title: translate('operator.gate.role'), words: translate('operator.gate.role.more'), symbol: 'info' },
    h('a', { class: 'button primary', href: '/operators/register' }, icon('plus'), translate('operators.register')),
    toOperators());
}

/**
 * The signed-in account that represents an operator. Other visitors see which requirement they do not meet.
 * @returns {Promise<import('../session.js').Account | null>}
 */
export async function operatorAccount() {
  const account = (await whenSession())?.account ?? null;
  // Roles above operator may represent an operator too.
  if (account?.role === 'operator') return account;
  if (account && account.role !== 'contributor' && await getJSON('/api/operators/mine')) return account;
  if (!account) {
    showLost({ title: translate('operator.gate.signed_out'), words: translate('operator.gate.signed_out.more'),
      symbol: 'sign-in' }, toSignIn(), toOperators());
  } else showRole();
  return null;
}
