// @ts-check
// The button with which a user joins a common request with a letter of their own.

import { getJSON, send } from '../api.js';
import { h, icon } from '../dom.js';
import { isBusy, saidOver, steadily, whileBusy } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { signInAddress } from '../page/trouble.js';
import { session } from '../session.js';
import { commonPath, ownChoice } from './common.js';

/** @typedef {import('./common.js').Common} Common */
/** @typedef {import('./common.js').Own} Own */

/**
 * The common requests in which the user takes part; none for a visitor.
 * @returns {Promise<Own[]>}
 */
export async function ownRequests() {
  if (!session()?.account) return [];
  return (await getJSON('/api/common-requests/own')).requests;
}

/**
 * @param {Common} common @param {Own[]} own @param {'primary' | ''} [look] of the button
 */
export function joinPart(common, own, look = 'primary') {
  const choice = ownChoice(own, common.id);
  if (choice) {
    return h('p', { class: 'together-own' }, icon('check'), h('span', {}, translate('together.joined'), ' ',
      h('a', { href: `/choices/${encodeURIComponent(choice)}` }, translate('together.own'))));
  }
  const account = session()?.account;
  if (!account) {
    const href = signInAddress(commonPath(common.id));
    return h('p', {}, h('a', { class: `button ${look}`.trim(), href }, icon('sign-in'), translate('together.sign_in')));
  }
  if (!account.confirmed) {
    return h('p', {}, h('a', { class: 'button primary', href: '/account' }, icon('mail'),
      translate('organisation.confirm_first')));
  }
  const button = h('button', { type: 'button', class: `button ${look}`.trim(), onclick: () => {
    if (isBusy(button)) return;
    whileBusy([button], () => steadily(saidOver(button), async () => {
      const { body } = await send('POST', `/api/common-requests/${encodeURIComponent(common.id)}/join`, {});
      const path = `/choices/${encodeURIComponent(body.choice)}`;
      location.assign(body.sent ? path : `${path}#letter`);
    }));
  } }, icon('mail'), translate('together.join'));
  return h('div', { class: 'form-acts' }, button);
}
