// @ts-check
// The installation as an app: the browser offers it through an event, or, on iOS, only through its share menu.

import { openDialog } from '../dialog.js';
import { h, icon } from '../dom.js';
import { translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { item } from '../storage/kept.js';

/** @typedef {Event & {prompt: () => Promise<void>, userChoice: Promise<{outcome: string}>}} InstallEvent */

const KEPT = 'farol.install'; // the number of visits, or `no` after the hint was closed
const VISITS = 2; // from this visit on there is a hint

/** @type {InstallEvent | null} */
let offer = null;
/** @type {(() => void)[]} */
const listeners = [];

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault(); // The page has a button of its own.
  offer = /** @type {InstallEvent} */ (event);
  tell();
});
addEventListener('appinstalled', () => {
  offer = null;
  remember('no');
  tell();
});

function tell() { for (const listener of listeners) listener(); }

/** Whether the page runs in a browser that installs only through its share menu. */
function isManual() {
  return 'standalone' in navigator && !(/** @type {{standalone?: boolean}} */ (navigator).standalone);
}

export function isInstallable() { return offer !== null || isManual(); }

/**
 * Adds a listener for the moment when the page becomes installable, or is no longer.
 * @param {() => void} listener
 */
export function onInstallable(listener) { listeners.push(listener); }

/** Asks the browser to install, or says how. */
export async function install() {
  if (!offer) {
    openDialog({
      title: translate('install.title', { name: instanceName() }), body: [h('p', {}, translate('install.by_hand'))],
    });
    return;
  }
  const asked = offer;
  await asked.prompt();
  const { outcome } = await asked.userChoice;
  offer = null; // A browser accepts only one request for each offer.
  if (outcome === 'dismissed') remember('no');
  tell();
}

/** The entry of the menu, hidden while the page is not installable. */
export function installEntry() {
  const entry = h('button', { type: 'button', onclick: install }, icon('download'),
    h('span', {}, translate('install.title', { name: instanceName() })));
  const draw = () => { entry.hidden = !isInstallable(); };
  onInstallable(draw);
  draw();
  return entry;
}

/**
 * A hint from the second visit on, until the user closes it. Hidden while the page is not installable.
 * @returns {HTMLElement | null}
 */
export function installHint() {
  const visits = count();
  if (visits === null || visits < VISITS) return null;
  const hint = h('section', { class: 'install-hint', 'aria-labelledby': 'install-title' },
    icon('download'),
    h('div', {}, h('h2', { id: 'install-title' }, translate('install.title', { name: instanceName() })),
      h('p', {}, translate('install.why'))),
    h('div', { class: 'install-acts' },
      h('button', { type: 'button', class: 'button primary', onclick: install }, translate('install.go')),
      h('button', {
        type: 'button', class: 'button', onclick: () => {
          remember('no');
          hint.remove();
        },
      }, translate('install.later'))));
  const draw = () => { hint.hidden = !isInstallable() || kept() === 'no'; };
  onInstallable(draw);
  draw();
  return hint;
}

/** Counts this visit. Null if the user does not want the hint, or the browser refuses storage. */
function count() {
  const known = kept();
  if (known === 'no' || known === undefined) return null;
  const visits = (Number(known) || 0) + 1;
  remember(String(visits));
  return visits;
}

/** @returns {string | null | undefined} undefined: the browser refuses storage */
function kept() {
  try {
    return item(KEPT).get();
  } catch {
    return undefined;
  }
}

/** @param {string} value */
function remember(value) {
  try {
    item(KEPT).set(value);
  } catch {
    // The browser refuses storage: there is no hint either.
  }
}
