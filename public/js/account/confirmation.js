// @ts-check
// Sends the confirmation e-mail again.

import { send } from '../api.js';
import { h } from '../dom.js';
import { tooMany } from '../forms/form.js';
import { restingButton } from '../forms/pause.js';
import { saidIn, steadily } from '../forms/steadily.js';
import { translate } from '../i18n.js';

const REST = 60; // seconds between two e-mails

/**
 * Button that sends the e-mail again and reports the result.
 * @param {string} email @param {boolean} isJustSent
 */
export function resend(email, isJustSent) {
  const said = h('p', { class: 'field-note', role: 'status' });
  const act = async () => {
    const voice = saidIn(said);
    /** @type {number | undefined} */
    let rest;
    const isSent = await steadily(voice, () => send('POST', '/api/accounts/confirm/resend', { json: { email } }), {
      refused: (refusal) => {
        rest = refusal.retryAfter ?? undefined;
        if (refusal.status === 429) voice.say([tooMany(refusal)]);
        return refusal.status === 429;
      },
    });
    if (isSent) voice.say([translate('account.resent')]);
    return rest;
  };
  return h('div', { class: 'resend' },
    restingButton({ words: translate('account.resend'), symbol: 'mail', seconds: REST, act, isPressed: isJustSent }),
    said);
}
