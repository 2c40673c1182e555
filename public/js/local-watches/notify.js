// @ts-check
// Notifications of this browser about watched areas, shown while a page is open in the background. They name a watch by
// the label of the user. Nothing is sent to a push service.

import { plural } from '../i18n.js';
import { item } from '../storage/kept.js';

const WANTED = 'farol.watches.notify';

export function canNotify() { return 'Notification' in globalThis && Notification.permission !== 'denied'; }

export function isNotifying() {
  try {
    return canNotify() && Notification.permission === 'granted' && item(WANTED).get() === '1';
  } catch {
    return false;
  }
}

/**
 * Turns notifications on or off. Asks for permission, so call it on a click only.
 * @param {boolean} isWanted
 * @returns {Promise<boolean>} whether they are on now
 */
export async function wantNotifications(isWanted) {
  try {
    if (isWanted && await Notification.requestPermission() === 'granted') item(WANTED).set('1');
    else item(WANTED).remove();
  } catch {
    // The browser refuses notifications or storage.
  }
  return isNotifying();
}

/**
 * @param {import('./watch.js').Watch} watch @param {number} count new devices since the last reading
 */
export function notify(watch, count) {
  tell(watch.label, plural('local_watch.notice', count), `watch-${watch.id}`, '/local-watches');
}

/**
 * Shows a notification if the user wants them and does not see the page.
 * @param {string} title @param {string} body @param {string} tag a later notification with the same replaces it
 * @param {string} page that a click opens
 */
export function tell(title, body, tag, page) {
  if (!isNotifying() || document.visibilityState === 'visible') return;
  const options = { body, tag, icon: '/favicon.svg' };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      focus();
      location.assign(page);
    };
  } catch {
    // Chrome for Android shows notifications through the service worker only.
    navigator.serviceWorker?.ready.then((worker) => worker.showNotification(title, options)).catch(() => undefined);
  }
}
