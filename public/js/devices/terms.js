// @ts-check
// Words with their plain definition one tap away.

import { h, icon, iconButton } from '../dom.js';
import { translate } from '../i18n.js';
import { label, term } from '../taxonomies.js';

let count = 0;

/**
 * A word that opens its definition; only the word where there is none.
 * @param {string} schemeName @param {string} code
 * @param {string} [look] class of the button
 */
export function termButton(schemeName, code, look = 'term') {
  const known = term(schemeName, code);
  const words = label(schemeName, code);
  if (!known?.definition) return h('span', { class: `${look} is-plain` }, words);
  return definitionButton(words, words, known.definition, look);
}

/**
 * @param {string} words on the page @param {string} title @param {string} definition @param {string} [look]
 */
export function definitionButton(words, title, definition, look = 'term') {
  count += 1;
  const id = `definition-${count}`;
  const button = h('button', { type: 'button', class: look, popovertarget: id, 'aria-haspopup': 'dialog' }, words);
  const bubble = h('div', { class: 'bubble', id, popover: 'auto', role: 'dialog', 'aria-label': title },
    h('div', { class: 'bubble-head' },
      h('strong', {}, title),
      iconButton('close', translate('close'), { popovertarget: id, popovertargetaction: 'hide' })),
    h('p', {}, definition));
  bubble.addEventListener('toggle', () => {
    const open = bubble.matches(':popover-open');
    button.setAttribute('aria-expanded', String(open));
    if (open) place(bubble, button);
  });
  return h('span', { class: 'term-holder' }, button, bubble);
}

/**
 * Puts a bubble below its word, or above where there is no room.
 * @param {HTMLElement} bubble @param {HTMLElement} word
 */
function place(bubble, word) {
  const edge = word.getBoundingClientRect();
  const width = Math.min(320, innerWidth - 24);
  bubble.style.width = `${width}px`;
  bubble.style.left = `${Math.max(12, Math.min(edge.left, innerWidth - width - 12))}px`;
  const height = bubble.offsetHeight;
  const below = edge.bottom + 6 + height < innerHeight;
  bubble.style.top = `${below ? edge.bottom + 6 : Math.max(12, edge.top - height - 6)}px`;
}

/**
 * Shapes that go with the colours of the map.
 * @type {Record<string, string>}
 */
const SHAPES = { confirmed: 'disc', reported: 'square', disputed: 'diamond', removed: 'gone', not_a_device: 'gone' };

/**
 * A status as a shape and a word.
 * @param {string} status @param {boolean} [explained]
 */
export function statusBadge(status, explained = false) {
  return h('span', { class: `status status-${SHAPES[status] ?? 'square'}` },
    h('span', { class: 'status-shape', 'aria-hidden': 'true' }),
    explained ? termButton('statuses', status) : label('statuses', status));
}

/**
 * A category's symbol in the shape of a status, as on the map.
 * @param {string} symbol @param {string} status
 */
export function marker(symbol, status) {
  return h('span', { class: `marker marker-${SHAPES[status] ?? 'square'}`, 'aria-hidden': 'true' }, icon(symbol, 'category'));
}

/** «Unknown», shown as such. */
export function unknown() {
  return h('span', { class: 'unknown' }, translate('unknown'));
}
