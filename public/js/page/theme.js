// @ts-check
// Light or dark: as the system says, unless the reader chose.

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
 * What is shown now.
 * @returns {'light' | 'dark'}
 */
export function theme() {
  const choice = themeChoice();
  if (choice !== 'auto') return choice;
  return system.matches ? 'dark' : 'light';
}

/** @param {Choice} choice */
export function chooseTheme(choice) {
  still();
  if (choice === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  try {
    if (choice === 'auto') localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, choice);
  } catch {
    // storage refused: the choice lasts for this page
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

/** What moves from colour to colour on its own would for a while be unreadable on the other ground. */
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
