// @ts-check
// What the pages about signing in say to somebody who is signed in already.

import { partWithDrafts } from '../add/waiting.js';
import { partWithLedger } from '../choices/kept.js';
import { h, icon } from '../dom.js';
import { saidOver, steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { signOut } from '../session.js';
import { onward, showSheet } from './sheet.js';

/** @param {import('../session.js').Session} session @param {() => void} again what to show when it has ended */
export function showSignedIn({ account }, again) {
  const leave = async () => {
    if (!await partWithDrafts() || !await partWithLedger()) return;
    if (await steadily(saidOver(document.body), signOut)) again();
  };
  showSheet({ title: translate('account.signed_in.title'), symbol: 'account' },
    h('p', {}, translate('account.signed_in.as'), ' ', h('bdi', { class: 'strong' }, account.username)),
    h('div', { class: 'form-acts' }, onward(),
      h('button', { type: 'button', class: 'button', onclick: leave }, icon('sign-out'), translate('menu.sign_out'))));
}
