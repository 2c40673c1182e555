// @ts-check
// Button that copies a text. If the browser does not allow it, the text is selected for copying.

import { fill, h, icon } from '../dom.js';
import { translate } from '../i18n.js';

const SAID = 3_000; // milliseconds

/** @param {string} text @param {string} words @param {HTMLElement} shown element with the text */
export function copyButton(text, words, shown) {
  const label = h('span', { 'aria-live': 'polite' }, words);
  const symbol = h('span', {}, icon('copy'));
  const say = (/** @type {string} */ key, /** @type {string} */ name) => {
    label.textContent = translate(key);
    fill(symbol, icon(name));
    setTimeout(() => {
      label.textContent = words;
      fill(symbol, icon('copy'));
    }, SAID);
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say('form.copied', 'check');
    } catch {
      getSelection()?.selectAllChildren(shown);
      say('form.copy_by_hand', 'copy');
    }
  };
  return h('button', { type: 'button', class: 'button', onclick: copy }, symbol, label);
}

/**
 * Starts a browser download of a text or file.
 * @param {string | Blob} content @param {string} name
 */
export function download(content, name) {
  const url = URL.createObjectURL(typeof content === 'string'
    ? new Blob([content], { type: 'text/plain;charset=utf-8' })
    : content);
  const link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
