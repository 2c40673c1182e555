// @ts-check
// The dialog that makes the HTML for a map or chart on another site.

import { openDialog } from '../dialog.js';
import { fill, h, icon } from '../dom.js';
import { newId } from '../fields/field.js';
import { copyButton } from '../forms/copy.js';
import { translate } from '../i18n.js';
import { embedAddress, HEIGHTS, LANGUAGES, snippet, THEMES } from './address.js';

/** @typedef {import('./address.js').Look} Look */
/**
 * @typedef {object} Embedded
 * @property {string} title of the frame
 * @property {() => string} page address of the page that shows the same
 * @property {string} [chart]
 */

/** @param {Embedded} embedded */
export function openEmbed({ title, page, chart }) {
  /** @type {Look} */
  const look = { theme: '', language: '', height: chart ? 640 : 420 };
  const code = h('code', {});
  const shown = h('pre', { class: 'embed-code', tabindex: '0', 'aria-label': translate('embed.code') }, code);
  const copy = h('span', {});
  const preview = h('a', { class: 'button', target: '_blank', rel: 'noopener' }, icon('external'),
    translate('embed.preview'));
  const draw = () => {
    const address = embedAddress(page(), { chart, theme: look.theme, language: look.language });
    const html = snippet(new URL(address, location.origin).href, title, look.height);
    code.textContent = html;
    preview.setAttribute('href', address);
    fill(copy, copyButton(html, translate('embed.copy'), code));
  };
  /** @param {'theme' | 'language'} name @param {readonly string[]} values */
  const choice = (name, values) => field(`embed.${name}`, look[name],
    values.map((value) => [value, value === 'en' ? 'English' : value === 'pt' ? 'Português'
      : translate(`embed.${name}.${value || 'own'}`)]),
    (value) => {
      look[name] = value;
      draw();
    });
  const height = field('embed.height', String(look.height),
    HEIGHTS.map((pixels) => [String(pixels), translate('embed.height.pixels', { count: pixels })]), (value) => {
      look.height = Number(value);
      draw();
    });
  draw();
  openDialog({
    title: translate(chart ? 'embed.title.chart' : 'embed.title'), look: 'embed-dialog',
    body: [
      h('p', {}, translate(chart ? 'embed.lead.chart' : 'embed.lead')),
      h('div', { class: 'embed-fields' }, height, choice('theme', THEMES), choice('language', LANGUAGES)),
      shown,
      h('p', { class: 'field-note' }, translate('embed.privacy')),
    ],
    foot: [copy, preview],
  });
}

/** @param {string} key @param {string} chosen @param {string[][]} options @param {(value: string) => void} choose */
function field(key, chosen, options, choose) {
  const id = newId();
  const select = /** @type {HTMLSelectElement} */ (h('select',
    { class: 'text-input', id, onchange: () => choose(select.value) },
    ...options.map(([value, words]) => h('option', { value, selected: value === chosen }, words))));
  return h('div', { class: 'field' }, h('label', { class: 'field-label', for: id }, translate(key)), select);
}
