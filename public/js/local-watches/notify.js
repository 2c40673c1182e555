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
  if (!isNotifying() || document.visibilityState === 'visible') return;
  const options = { body: plural('local_watch.notice', count), tag: `watch-${watch.id}`, icon: '/favicon.svg' };
  try {
    const shown = new Notification(watch.label, options);
    shown.onclick = () => {
      focus();
      location.assign('/local-watches');
    };
  } catch {
    // Chrome for Android shows notifications through the service worker only.
    navigator.serviceWorker?.ready.then((worker) => worker.showNotification(watch.label, options))
      .catch(() => undefined);
  }
}
