// @ts-check
// The introduction on a first visit: the purpose of this site, and three ways to begin. It does not take the focus. Its
// buttons stay after one of them was used: it goes when the user closes it or uses the page otherwise.

import { h, icon, iconButton } from './dom.js';
import { translate } from './i18n.js';
import { instanceName } from './page/brand.js';
import { item } from './storage/kept.js';

const KEPT = 'farol.met';
/** Keys that only move the focus, or belong to shortcuts of the browser. */
const SILENT = ['Tab', 'Shift', 'Control', 'Alt', 'Meta', 'Escape', 'CapsLock'];

/**
 * The introduction, or null if this browser has shown it before.
 * @param {{around: () => void}} acts
 */
export function welcome({ around }) {
  if (isMet()) return null;
  const end = new AbortController();
  const close = (/** @type {boolean} */ keepsFocus = false) => {
    end.abort();
    meet();
    const hadFocus = element.contains(document.activeElement);
    element.remove();
    document.body.classList.remove('is-welcoming');
    if (hadFocus && !keepsFocus) document.getElementById('list-title')?.focus();
  };
  const door = { class: 'welcome-door' };
  const element = h('section', { class: 'welcome', id: 'welcome', 'aria-labelledby': 'welcome-name' },
    h('div', { class: 'welcome-head' }, h('h2', { id: 'welcome-name' }, instanceName()),
      iconButton('close', translate('welcome.close'), { class: 'welcome-close', onclick: () => close() })),
    h('p', {}, translate('welcome.sentence')),
    h('ul', { class: 'welcome-doors' },
      h('li', {}, h('button', {
        type: 'button', ...door, onclick: () => {
          element.classList.add('is-used'); // The doors alone: the devices need the room.
          around();
        },
      }, icon('locate'), h('span', {}, translate('welcome.around')))),
      h('li', {}, h('a', { href: '/learn#kinds', ...door }, icon('question'),
        h('span', {}, translate('welcome.devices')))),
      h('li', {}, h('a', { href: '/choices#rights', ...door }, icon('shield'),
        h('span', {}, translate('welcome.rights'))))));
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  });
  const used = (/** @type {Event} */ event) => {
    const isInside = event.target instanceof Node && element.contains(event.target);
    const isSilent = event instanceof KeyboardEvent && SILENT.includes(event.key);
    if (!isInside && !isSilent) close(true);
  };
  for (const type of ['pointerdown', 'wheel', 'keydown']) {
    addEventListener(type, used, { signal: end.signal, passive: true, capture: true });
  }
  document.body.classList.add('is-welcoming');
  return element;
}

/** Whether this browser has shown the introduction before. */
export function isMet() {
  try {
    return item(KEPT).get() !== null;
  } catch {
    return true; // Without storage it would appear on every visit.
  }
}

function meet() {
  try {
    item(KEPT).set('1');
  } catch {
    // The browser refuses storage.
  }
}
