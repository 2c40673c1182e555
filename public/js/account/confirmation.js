// @ts-check
// The mail that confirms an address: sent again, as often as is of use.

import { Outage, Refusal, send } from '../api.js';
import { h } from '../dom.js';
import { tooMany } from '../forms/form.js';
import { restingButton } from '../forms/pause.js';
import { translate } from '../i18n.js';

const REST = 60; // seconds between two mails

/**
 * A button that sends the mail again, and says how that went.
 * @param {string} email @param {boolean} isJustSent
 */
export function resend(email, isJustSent) {
  const said = h('p', { class: 'field-note', role: 'status' });
  const act = async () => {
    try {
      await send('POST', '/api/accounts/confirm/resend', { json: { email } });
      said.textContent = translate('account.resent');
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) {
        said.textContent = error.status === 429 ? tooMany(error) : error.message;
        return error.retryAfter ?? undefined;
      }
      if (!(error instanceof Outage)) throw error;
      said.textContent = error.message || translate('outage');
      return 5;
    }
  };
  return h('div', { class: 'resend' },
    restingButton({ words: translate('account.resend'), symbol: 'mail', seconds: REST, act, isPressed: isJustSent }), said);
}
