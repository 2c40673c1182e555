// @ts-check
// The account page: all settings of the account of the signed-in user.

import { byId, fill, h } from '../dom.js';
import { translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { onSession, refreshSession, whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { requestSetting } from './data-requests.js';
import { missing } from './missing.js';
import { deletion, exportData, isDeleted } from './own-data.js';
import { profile } from './profile.js';
import { research } from './research.js';
import { secondFactor } from './second-factor.js';
import { sessions } from './sessions.js';
import { tokens } from './tokens.js';

async function start() {
  await startShell();
  document.title = `${translate('menu.my_account')} · ${instanceName()}`;
  const found = await whenSession();
  if (!found) return leave();
  const { account } = found;
  // An account that must set up a second factor can do nothing before that. The server would refuse
  // the requests of the other sections.
  const isOpen = !account.second_factor.required || account.second_factor.enabled;
  const notices = missing();
  const factor = secondFactor(() => { if (!isOpen) location.reload(); });
  const sections = isOpen
    ? [profile(), factor, sessions(), tokens(), research(), requestSetting(), exportData(), deletion()]
    : [factor];
  const update = (/** @type {import('../session.js').Account} */ now) => {
    notices.update(now);
    for (const section of sections) section.update(now);
  };
  update(account);
  fill(byId('content'), h('div', { class: 'account' },
    h('header', { class: 'account-head' }, h('h1', {}, translate('menu.my_account')),
      h('p', { class: 'account-ways' },
        account.confirmed && h('a', { href: `/people/${encodeURIComponent(account.username)}` },
          translate('account.see_public')),
        h('a', { href: '/choices' }, translate('menu.choices')))),
    notices.element,
    sections.length > 1 && h('nav', { class: 'account-nav', 'aria-label': translate('account.parts') },
      h('ul', {}, ...sections.map(({ id, title }) => h('li', {}, h('a', { href: `#${id}` }, title))))),
    h('div', { class: 'account-parts' }, ...sections.map(({ element }) => element))));
  reach();
  addEventListener('hashchange', reach);
  onSession((now) => {
    if (!now) return isDeleted() ? undefined : leave();
    return update(now.account);
  });
  // The stored session may be out of date: another tab or page may have changed the account.
  return refreshSession().catch(() => {});
}

function leave() {
  location.replace(`/sign-in?then=${encodeURIComponent(`/account${location.hash}`)}`);
}

/** Scrolls to the section named in the URL fragment. */
function reach() {
  const part = location.hash && document.getElementById(location.hash.slice(1));
  if (!part) return;
  part.scrollIntoView();
  part.focus({ preventScroll: true });
}

start();
