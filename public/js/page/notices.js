// @ts-check
// The notice of every page that the server cannot be reached and that the data are saved data.

import { connection, retryNow } from '../api.js';
import { fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';

/** A bar at the top of the page, empty while there is no outage. */
export function startNotices() {
  const strip = h('div', { class: 'notices', role: 'status', 'aria-live': 'polite' });
  document.body.append(strip);
  const draw = () => {
    const { reach } = connection;
    document.body.classList.toggle('has-notice', reach !== 'fine');
    if (reach === 'fine') return fill(strip);
    return fill(strip, h('div', { class: 'notice' }, icon('offline'),
      h('div', { class: 'notice-words' },
        h('p', {}, translate('outage')),
        reach === 'saved' && h('p', { class: 'notice-saved' }, translate('offline.saved'))),
      h('button', { type: 'button', class: 'notice-button', onclick: retryNow }, translate('outage.retry'))));
  };
  connection.onChange(draw);
  draw();
}

const FIRST = 100; // milliseconds until screen readers know a new live region
/** @type {HTMLElement | undefined} */
let region;

/**
 * Announces a message politely to screen readers.
 * @param {string} words
 */
export function announce(words) {
  if (!region) {
    region = h('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite', id: 'announcer' });
    document.body.append(region);
    // Unless other words have come meanwhile.
    setTimeout(() => { if (!region?.textContent) announce(words); }, FIRST);
    return;
  }
  region.textContent = words;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let hiding;

/**
 * Shows a short message that disappears by itself. Few screen readers announce a live region that enters the page with
 * its words.
 * @param {string} words
 */
export function toast(words) {
  document.querySelector('.toast')?.remove();
  const message = h('div', { class: 'toast', role: 'status' });
  document.body.append(message);
  setTimeout(() => { message.textContent = words; }, FIRST);
  clearTimeout(hiding);
  hiding = setTimeout(() => message.remove(), 4_000);
}
