// @ts-check
// Offers of visits, read while any page is open. A new one is a notification if the reader wants notifications.

import { displayName } from '../devices/name.js';
import { translate } from '../i18n.js';
import { showNotice } from '../local-watches/notify.js';
import { toast } from '../page/notices.js';
import { scheme } from '../taxonomies.js';
import { noteVolunteer } from './kept.js';
import { NowReader } from './now.js';
import { asDevice } from './visits.js';

/** @typedef {import('./visits.js').Now} Now */
/** @typedef {import('./visits.js').Offer} Offer */

/** @type {((now: Now) => void)[]} */
const listeners = [];
/** @type {Now | null} */
let last = null;
const reader = new NowReader((now) => {
  const isNew = now.offer !== null && now.offer.id !== last?.offer?.id;
  const isFirst = last === null;
  last = now;
  noteVolunteer(!['none', 'paused'].includes(now.volunteer_state), now.offer ? 1 : 0);
  for (const listener of listeners) listener(now);
  if (isNew && now.offer) tell(now.offer, isFirst);
});

/** @param {(now: Now) => void} listener called with each change */
export function onOffers(listener) {
  listeners.push(listener);
  if (last) listener(last);
}

/** Reads the offers now, and again every few seconds. */
export async function readOffers() {
  reader.start();
  await reader.read();
}

/** @param {Offer} offer @param {boolean} isFirst whether it waited already when the page opened */
async function tell(offer, isFirst) {
  await scheme('categories').catch(() => null);
  const name = offer.visit.device ? displayName(asDevice(offer.visit.device)) : '';
  showNotice(translate('visit.offer'), { body: name, tag: `visit-${offer.id}` }, '/visits');
  if (!isFirst && document.visibilityState === 'visible') toast(translate('visit.offer.new', { name }));
}
