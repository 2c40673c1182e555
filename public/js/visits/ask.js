// @ts-check
// Asks for a visit to a device: one dialog, one tap for the reason.

import { send } from '../api.js';
import { openDialog } from '../dialog.js';
import { h, icon } from '../dom.js';
import { isBusy, saidIn, steadily, whileBusy } from '../forms/steadily.js';
import { translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { ASKED, VISITS } from './visits.js';

/**
 * @param {string} device its id @param {string} name @param {boolean} fromStreet a device of a household
 * @param {() => Promise<unknown> | unknown} asked called after the request was stored
 */
export function openAsk(device, name, fromStreet, asked) {
  const trouble = h('p', { class: 'complaint', role: 'alert' });
  trouble.hidden = true;
  const choose = (/** @type {string} */ reason) => whileBusy(reasons.querySelectorAll('button'), async () => {
    const isSent = await steadily(saidIn(trouble), () => send('POST', VISITS, { json: { device, reason } }), {
      again: translate(`visit.reason.${reason}`),
    });
    if (!isSent) return;
    dialog.close();
    toast(translate('visit.asked'));
    await asked();
  });
  const reasons = h('div', { class: 'visit-reasons', role: 'group', 'aria-labelledby': 'ask-why' },
    ...(fromStreet ? ASKED.slice(0, 1) : ASKED).map((reason) => h('button', {
      type: 'button', class: 'button', onclick: (/** @type {Event} */ event) => {
        if (!isBusy(/** @type {HTMLElement} */ (event.currentTarget))) choose(reason);
      },
    }, icon({ still_there: 'question', photo_notice: 'photo' }[reason] ?? 'edit'),
    translate(`visit.reason.${reason}`))));
  const dialog = openDialog({
    title: translate('visit.ask.title', { name }),
    body: [h('p', { id: 'ask-why' }, translate('visit.ask.why')), reasons,
      fromStreet && h('p', { class: 'section-note' }, translate('visit.ask.street')),
      trouble, h('p', { class: 'section-note' }, translate('visit.ask.what_happens'))],
  });
}
