// @ts-check
// The light or dark theme: the system setting, unless the reader chooses one.

import { item } from '../storage/kept.js';

/** @typedef {'auto' | 'light' | 'dark'} Choice */

const KEPT = 'farol.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
/** @type {((theme: 'light' | 'dark') => void)[]} */
const listeners = [];

/** @returns {Choice} */
export function themeChoice() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
}

/**
 * The current theme.
 * @returns {'light' | 'dark'}
 */
export function theme() {
  const choice = themeChoice();
  if (choice !== 'auto') return choice;
  return system.matches ? 'dark' : 'light';
}

/** @type {Choice | null} the choice of the reader while a page is printed in the light theme */
let printing = null;

addEventListener('beforeprint', () => {
  if (theme() === 'light') return;
  printing = themeChoice();
  document.documentElement.dataset.theme = 'light';
  tell();
});
addEventListener('afterprint', () => {
  if (printing === null) return;
  if (printing === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = printing;
  printing = null;
  tell();
});

/** @param {Choice} choice */
export function chooseTheme(choice) {
  still();
  if (choice === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  try {
    if (choice === 'auto') item(KEPT).remove();
    else item(KEPT).set(choice);
  } catch {
    // Storage is not available: the choice applies to this page only.
  }
  tell();
}

/** @param {(theme: 'light' | 'dark') => void} listener */
export function onTheme(listener) {
  listeners.push(listener);
}

function tell() {
  const now = theme();
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
    meta.setAttribute('content', now === 'dark' ? '#0d1b2a' : '#0b2545');
  }
  for (const listener of listeners) listener(now);
}

/** Disables transitions for a moment: text that fades between colours would be unreadable on the new background. */
function still() {
  const root = document.documentElement;
  root.classList.add('is-switching');
  requestAnimationFrame(() => requestAnimationFrame(() => root.classList.remove('is-switching')));
}

system.addEventListener('change', () => {
  if (themeChoice() !== 'auto') return;
  still();
  tell();
});
