// @ts-check
// Keeps what was typed while the page is reloaded after an update or an error. Passwords, codes and files are not kept.

import { item } from '../storage/kept.js';

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control */
/** @typedef {{key: string, value: string, isChecked?: boolean}} Typed */

const KEPT = 'farol.typed';
const PATIENCE = 60_000; // milliseconds until the forms of the page are there

/** @param {Control} control */
function isKept(control) {
  if (control.disabled || /one-time-code|password/.test(control.autocomplete)) return false;
  return !/^(password|file|hidden|submit|button|range)$/.test(control.type);
}

/** All controls with a key that they have again after a reload. @returns {Map<string, Control>} */
function controls() {
  const found = new Map();
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const control of /** @type {NodeListOf<Control>} */ (document.querySelectorAll('input, textarea, select'))) {
    const label = control.labels?.[0]?.textContent ?? control.getAttribute('aria-label') ?? '';
    const name = [control.type, control.name, label].join(' ').slice(0, 200);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    if (isKept(control)) found.set(`${name} ${count}`, control);
  }
  return found;
}

/** @param {Control} control @returns {control is HTMLInputElement} */
const isChoice = (control) => control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type);

/**
 * The controls that the user has changed.
 * @type {WeakSet<EventTarget>}
 */
const changed = new WeakSet();

function keep() {
  /** @type {Typed[]} */
  const typed = [...controls()].filter(([, control]) => changed.has(control)).map(([key, control]) => (
    { key, value: control.value, ...(isChoice(control) ? { isChecked: control.checked } : {}) }));
  try {
    item(KEPT).set(JSON.stringify({ path: location.pathname + location.search, typed }));
  } catch {
    // Storage is not available: the typed text is lost.
  }
}

/** @param {Control} control @param {Typed} typed */
function fill(control, { value, isChecked }) {
  changed.add(control);
  if (isChoice(control)) control.checked = isChecked ?? control.checked;
  else control.value = value;
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }));
}

/** @returns {Typed[]} */
function kept() {
  try {
    const { path, typed } = JSON.parse(item(KEPT).get() ?? '{}');
    item(KEPT).remove();
    return path === location.pathname + location.search ? typed : [];
  } catch {
    return []; // Storage is not available.
  }
}

/** Fills the forms of the page as they were before the reload, as soon as they appear. */
export function keepTyped() {
  addEventListener('input', ({ target, isTrusted }) => { if (target && isTrusted) changed.add(target); }, true);
  addEventListener('before-reload', keep);
  let waiting = kept();
  if (!waiting.length) return;
  const watcher = new MutationObserver(() => again());
  const again = () => {
    const there = controls();
    const ready = waiting.filter(({ key }) => there.has(key));
    waiting = waiting.filter(({ key }) => !there.has(key));
    for (const typed of ready) fill(/** @type {Control} */ (there.get(typed.key)), typed);
    if (!waiting.length) watcher.disconnect();
  };
  watcher.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => watcher.disconnect(), PATIENCE);
  again();
}
