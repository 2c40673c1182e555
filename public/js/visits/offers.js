// @ts-check
// Offers of visits, read while any page is open. A new one, and a planned visit that begins soon, is a notification if
// the reader wants notifications.

import { displayName } from '../devices/name.js';
import { translate } from '../i18n.js';
import { showNotice } from '../local-watches/notify.js';
import { toast } from '../page/notices.js';
import { scheme } from '../taxonomies.js';
import { noteVolunteer } from './kept.js';
import { NowReader } from './now.js';
import { Reminders } from './reminders.js';
import { asDevice } from './visits.js';

/** @typedef {import('./visits.js').Now} Now */
/** @typedef {import('./visits.js').Visit} Visit */

/** @type {((now: Now) => void)[]} */
const listeners = [];
/** @type {Now | null} */
let last = null;
const reminders = new Reminders((visit, isLate) => {
  tell(visit, { title: 'visit.soon', toast: 'visit.soon.toast', link: `visit=${visit.id}`, isQuiet: isLate });
});
const reader = new NowReader((now) => {
  const isNew = now.offer !== null && now.offer.id !== last?.offer?.id;
  const isFirst = last === null;
  last = now;
  // A user who stops volunteering still gets news of the remaining visits.
  noteVolunteer(!['none', 'paused'].includes(now.volunteer_state) || now.visits.length > 0, now.offer ? 1 : 0);
  for (const listener of listeners) listener(now);
  reminders.follow(now.visits);
  if (!isNew || !now.offer) return;
  tell(now.offer.visit, {
    title: 'visit.offer', toast: 'visit.offer.new', link: `offer=${now.offer.id}`, isQuiet: isFirst,
  });
});

/** @param {(now: Now) => void} listener called with each change */
export function onOffers(listener) {
  listeners.push(listener);
  if (last) listener(last);
}

/** Reads the offers now, and from now on after each change. */
export async function readOffers() {
  reader.start();
  await reader.read();
}

/**
 * Notifies the reader, or says it on the page if it is visible.
 * @param {Visit} visit
 * @param {{title: string, toast: string, link: string, isQuiet: boolean}} words keys, the fragment of the address, and
 *   whether it was so when the page opened, which then shows it already
 */
async function tell(visit, { title, toast: said, link, isQuiet }) {
  await scheme('categories').catch(() => null);
  const name = visit.device ? displayName(asDevice(visit.device)) : '';
  showNotice(translate(title), { body: name, tag: `visit-${link}` }, `/visits#${link}`);
  if (!isQuiet && document.visibilityState === 'visible') toast(translate(said, { name }));
}
