// @ts-check
// Content of the pages about signing in for a user who is already signed in.

import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { leave } from '../leaving/leave.js';
import { continueLink, showSheet } from './sheet.js';

/** @param {import('../session.js').Session} session @param {() => void} again draws the page again after signing out */
export function showSignedIn({ account }, again) {
  const leaveHere = async () => { if (await leave()) again(); };
  showSheet({ title: translate('account.signed_in.title'), symbol: 'account' },
    h('p', {}, translate('account.signed_in.as'), ' ', h('bdi', { class: 'strong' }, account.username)),
    h('div', { class: 'form-acts' }, continueLink(),
      h('button', { type: 'button', class: 'button', onclick: leaveHere }, icon('sign-out'),
        translate('menu.sign_out'))));
}
