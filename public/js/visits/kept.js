// @ts-check
// Whether the reader is a volunteer, for pages that then read the offers, and the number of offers that wait.

import { late } from '../late.js';
import { item } from '../storage/kept.js';

const KEPT = 'farol.visits';

/** @returns {{isVolunteer: boolean, offers: number}} */
export function visitsKept() {
  try {
    const text = item(KEPT).get();
    return { isVolunteer: text !== null, offers: Number(text) || 0 };
  } catch {
    return { isVolunteer: false, offers: 0 };
  }
}

/** @param {boolean} isVolunteer @param {number} [offers] that wait for an answer */
export function noteVolunteer(isVolunteer, offers = visitsKept().offers) {
  try {
    if (isVolunteer) item(KEPT).set(String(offers));
    else item(KEPT).remove();
  } catch {
    // The browser refuses storage: only the page of visits shows offers.
  }
  dispatchEvent(new Event('farol-visits'));
}

/**
 * Adds a listener for changes of these facts, in this tab and in others.
 * @param {() => void} listener
 */
export function onVisits(listener) {
  addEventListener('farol-visits', listener);
  addEventListener('storage', (event) => { if (event.key === KEPT) listener(); });
}

/** Reads the offers of a volunteer on any page. */
export function watchOffers() {
  const look = () => {
    if (!visitsKept().isVolunteer) return;
    late(import('./offers.js')).then(({ readOffers }) => readOffers()).catch(() => undefined);
  };
  setTimeout(look, 1_000);
}
