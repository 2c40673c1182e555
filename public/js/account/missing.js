// @ts-check
// Notices about limits on an account (address not confirmed, suspended, second factor missing) and
// the way to lift each limit.

import { fill, h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { language, translate } from '../i18n.js';
import { resend } from './confirmation.js';

/** @typedef {import('./section.js').Account} Account */

export function missing() {
  const element = h('div', { class: 'missing' });
  let drawn = '';
  return {
    element,
    /** @param {Account} account */
    update(account) {
      const state = JSON.stringify([account.confirmed, account.email, account.suspended, account.second_factor]);
      if (state === drawn) return;
      drawn = state;
      fill(element, unconfirmed(account), suspended(account), unenrolled(account));
    },
  };
}

/** @param {string} title @param {...import('../dom.js').Child} parts */
function notice(title, ...parts) {
  return h('section', { class: 'missing-notice' }, icon('warning'),
    h('div', { class: 'stack' }, h('h2', {}, title), ...parts));
}

/** @param {Account} account */
function unconfirmed({ confirmed, email }) {
  return !confirmed && notice(translate('account.missing.unconfirmed'),
    h('p', {}, translate('account.missing.unconfirmed.why'), ' ', h('bdi', { class: 'strong' }, email)),
    h('p', {}, translate('account.missing.unconfirmed.lapse')), resend(email, false));
}

/** @param {Account} account */
function suspended({ suspended: found }) {
  if (!found) return null;
  const until = formatDay(found.until, language());
  return notice(translate('account.missing.suspended'),
    h('p', {}, until
      ? translate('account.missing.suspended.until', { day: until })
      : translate('account.missing.suspended.for_good')),
    found.reason && h('blockquote', {}, h('bdi', {}, found.reason)),
    h('p', {}, translate('account.missing.suspended.can')));
}

/** @param {Account} account */
function unenrolled({ second_factor: { enabled, required } }) {
  return required && !enabled && notice(translate('account.missing.second_factor'),
    h('p', {}, translate('account.second_factor.required')),
    h('p', {},
      h('a', { href: '#second-factor', class: 'button' }, icon('shield'), translate('account.second_factor.set_up'))));
}
