// @ts-check
// «Needs a visit» on the page of a device: why, and the button to ask for one.

import { getJSON, Outage, Refusal } from '../api.js';
import { displayName } from '../devices/name.js';
import { fill, h, icon } from '../dom.js';
import { styleSheet } from '../fields/fields.js';
import { formatDay } from '../format.js';
import { language, translate } from '../i18n.js';
import { signInAddress } from '../page/trouble.js';
import { routesAddress } from '../routes/address.js';
import { maybeSignedIn } from '../session.js';
import { openAsk } from './ask.js';
import { reasonChips, streetNote } from './parts.js';
import { VISITS } from './visits.js';

/** @typedef {import('../devices/device.js').Device} Device */
/**
 * @typedef {object} DeviceVisits
 * @property {string[]} reasons
 * @property {boolean} from_street
 * @property {boolean} is_private
 * @property {import('./visits.js').OpenRequest | null} request
 * @property {boolean} may_ask
 * @property {string | null} why_not
 */

/**
 * Draws the section. The page of the device is complete without it, so it is left out if the server cannot answer.
 * @param {HTMLElement} place @param {Device} device
 */
export async function drawVisits(place, device) {
  try {
    const [found] = await Promise.all([
      getJSON(`${VISITS}/devices/${encodeURIComponent(device.id)}`), styleSheet('css/look.css'),
      styleSheet('css/visits.css'),
    ]);
    const focused = place.contains(document.activeElement) ? document.activeElement?.id : null;
    fill(place, section(device, found, () => drawVisits(place, device)));
    if (focused) (document.getElementById(focused) ?? document.getElementById('section-visits'))?.focus();
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof Outage)) throw error;
  }
}

/** @param {Device} device @param {DeviceVisits} found @param {() => Promise<void>} again */
function section(device, found, again) {
  const { reasons, request, from_street: fromStreet, may_ask: mayAsk, why_not: whyNot } = found;
  const isVisitor = !maybeSignedIn();
  if (found.is_private || (!reasons.length && !request && !mayAsk && !isVisitor)) return null;
  const all = request ? [request.reason, ...reasons.filter((reason) => reason !== request.reason)] : reasons;
  const day = formatDay(request?.asked_on, language());
  return h('section', { class: 'fact-section visit-section', 'aria-labelledby': 'section-visits' },
    h('h2', { id: 'section-visits', tabindex: '-1' }, translate(all.length ? 'visit.needs' : 'visit.section')),
    all.length > 0 && reasonChips(all),
    request && h('p', {}, translate('visit.has_request', { day: day ?? '' })),
    fromStreet ? streetNote() : null,
    h('div', { class: 'form-acts' },
      mayAsk && h('button', {
        type: 'button', class: 'button', id: 'visit-ask',
        onclick: () => openAsk(device.id, displayName(device), fromStreet, again),
      }, icon('question'), translate('visit.ask')),
      isVisitor && !request && h('a', {
        class: 'button', href: signInAddress(`/devices/${device.id}#section-visits`),
      }, icon('sign-in'), translate('visit.ask_sign_in')),
      all.length > 0 && h('a', { class: 'button', href: routesAddress('to', device.position, displayName(device)) },
        icon('compass'), translate('routes.quiet_there')),
      h('a', { class: 'button', href: '/visits' }, icon('list'), translate('visit.all'))),
    !mayAsk && !request && whyNot && h('p', { class: 'section-note' }, whyNot));
}
