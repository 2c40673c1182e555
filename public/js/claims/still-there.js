// @ts-check
// Question «Is it still there?» for a device that was not checked within the period of its
// category.

import { fill, h, icon } from '../dom.js';
import { formatDay } from '../format.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { language, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { maybeSignedIn } from '../session.js';
import { say } from './say.js';
import { signInToSay } from './sign-in.js';

/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('./claims.js').Verdict} Verdict */

/**
 * One tap for a signed-in user. A visitor reads why an account is needed, and signs in first.
 * @param {Device} device
 * @param {() => Promise<void> | void} said called after a statement: reloads the device
 * @param {'h2' | 'h3'} [heading]
 */
export function stillThere(device, said, heading = 'h2') {
  const seen = formatDay(device.lastConfirmed ?? device.properties.observed_on ?? null, language());
  const trouble = h('p', { class: 'complaint', role: 'alert' });
  trouble.hidden = true;
  const account = h('div', { class: 'still-there-account', 'aria-live': 'polite' });
  let busy = false;
  const tell = async (/** @type {Verdict} */ verdict) => {
    if (busy) return;
    if (!maybeSignedIn()) {
      fill(account, signInToSay(device.id, 'present', verdict));
      account.querySelector('a')?.focus();
      return;
    }
    busy = true;
    if (await steadily(saidIn(trouble), () => say(device.id, { claim: 'present', verdict, basis: 'seen' }))) {
      toast(translate('claim.thanks'));
      await said();
    }
    busy = false;
  };
  const title = `still-there-${device.id}`;
  return h('section', { class: 'still-there', 'aria-labelledby': title },
    icon('eye'),
    h('div', { class: 'still-there-words' },
      h(heading, { id: title }, translate('still.title')),
      h('p', {}, seen ? translate('still.since', { day: seen }) : translate('still.never'))),
    h('div', { class: 'still-there-acts' },
      h('button', { type: 'button', class: 'button primary', onclick: () => tell('confirm') }, icon('check'),
        translate('still.yes')),
      h('button', { type: 'button', class: 'button', onclick: () => tell('dispute') }, icon('close'),
        translate('still.no'))),
    account, trouble);
}
