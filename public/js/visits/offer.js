// @ts-check
// The offer of a visit: the task, the distance, the time left, and two buttons.

import { send } from '../api.js';
import { displayName } from '../devices/name.js';
import { fill, h, icon } from '../dom.js';
import { formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { toast } from '../page/notices.js';
import { actButton, deviceHead, openPlan, reasonChips, streetNote } from './parts.js';
import { asDevice, minutesLeft, VISITS } from './visits.js';

/** @typedef {import('./visits.js').Offer} Offer */

const TICK = 15_000; // milliseconds

/**
 * @param {Offer} offer
 * @param {(focus?: string) => Promise<unknown>} changed called after an answer
 */
export function offerCard(offer, changed) {
  const { visit } = offer;
  const name = visit.device ? displayName(asDevice(visit.device)) : '';
  const address = `${VISITS}/offers/${encodeURIComponent(offer.id)}`;
  const left = h('p', { class: 'visit-left' });
  const element = h('section', { class: 'paper visit-offer', 'aria-labelledby': 'offer-title', id: 'offer' });
  const draw = () => {
    const minutes = minutesLeft(offer.ends_at, Date.now());
    fill(left, icon('clock'), h('span', {},
      minutes ? plural('visit.offer.left', minutes) : translate('visit.offer.over')));
  };
  draw();
  const ticking = setInterval(() => {
    if (element.isConnected) draw();
    else clearInterval(ticking);
  }, TICK);
  const accept = (/** @type {object} */ json) => send('POST', `${address}/accept`, { json });
  // An answer from another tab, or the time: the page reads again what is true.
  const refused = async (/** @type {import('../api.js').Refusal} */ refusal) => {
    if (refusal.kind !== 'offer-over' && refusal.status !== 404) return false;
    toast(refusal.message);
    await changed();
    return true;
  };
  const accepted = async () => {
    toast(translate('visit.accepted'));
    await changed(visit.id);
  };
  fill(element,
    h('h2', { id: 'offer-title', tabindex: '-1' }, translate('visit.offer')),
    deviceHead(visit.device, 'h3', 'offer-device'),
    reasonChips([visit.reason]),
    h('p', { class: 'look-facts' },
      translate('visit.offer.distance', { distance: formatNumber(offer.distance_km, language()) })),
    left,
    visit.from_street ? streetNote() : null,
    h('div', { class: 'visit-acts' },
      actButton({
        key: 'visit.accept', symbol: 'check', look: 'primary', of: name, act: () => accept({}), done: accepted, refused,
        isRepeatable: false,
      }),
      h('button', {
        type: 'button', class: 'button', 'data-act': 'visit.accept_later',
        onclick: () => openPlan(name, (planned) => accept({ planned_for: planned }), accepted),
      }, icon('clock'), translate('visit.accept_later')),
      actButton({
        key: 'visit.decline', symbol: 'close', of: name, act: () => send('POST', `${address}/decline`, { json: {} }),
        done: async () => {
          toast(translate('visit.declined'));
          await changed();
        }, refused, isRepeatable: false,
      })));
  return element;
}
