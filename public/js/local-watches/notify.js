// @ts-check
// Notifications of this browser about watched areas and offers of visits, shown while a page is open in the background.
// Nothing is sent to a push service.

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
 * Notifies about new devices in a watched area, which it names by the label of the user.
 * @param {import('./watch.js').Watch} watch @param {number} count new devices since the last reading
 */
export function notify(watch, count) {
  showNotice(watch.label, { body: plural('local_watch.notice', count), tag: `watch-${watch.id}` }, '/local-watches');
}

/**
 * Shows a notification if the user wants them and does not see the page.
 * @param {string} title
 * @param {{body: string, tag: string}} notice a later one with the same tag replaces it
 * @param {string} path of the page that a click opens
 */
export function showNotice(title, notice, path) {
  if (!isNotifying() || document.visibilityState === 'visible') return;
  // The service worker opens the page in `data`.
  const options = { ...notice, icon: '/favicon.svg', data: { path } };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      focus();
      location.assign(path);
    };
  } catch {
    // Chrome for Android shows notifications through the service worker only.
    navigator.serviceWorker?.ready.then((worker) => worker.showNotification(title, options)).catch(() => undefined);
  }
}
