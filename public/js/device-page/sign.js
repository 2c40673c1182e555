// @ts-check
// The dialog for a sign to print: its language, its size, a preview, and the files.

import { openDialog } from '../dialog.js';
import { h, icon } from '../dom.js';
import { newId } from '../fields/field.js';
import { language, translate } from '../i18n.js';

/** The languages of signs (`seed/signs`), with their own names. */
const LANGUAGES = [
  ['de', 'Deutsch'], ['en', 'English'], ['es', 'Español'], ['fr', 'Français'], ['it', 'Italiano'], ['pt', 'Português'],
];
const SIZES = [['a4', 'A4'], ['a5', 'A5']];

/**
 * The button that opens the dialog; null for a device that is not there any more.
 * @param {{id: string, status: string}} device
 */
export function signButton({ id, status }) {
  if (status === 'removed' || status === 'not_a_device') return null;
  return h('button', {
    type: 'button', class: 'button', id: 'sign-device', 'aria-haspopup': 'dialog', onclick: () => openSign(id),
  }, icon('sign'), translate('sign.open'));
}

/** @param {string} id of the device */
function openSign(id) {
  const look = { size: 'a4', lang: language() };
  const preview = /** @type {HTMLImageElement} */ (h('img', { class: 'sign-preview', width: '248', height: '351' }));
  const trouble = h('p', { class: 'complaint', role: 'alert' }, translate('sign.trouble'));
  trouble.hidden = true;
  preview.addEventListener('error', () => { trouble.hidden = false; });
  preview.addEventListener('load', () => { trouble.hidden = true; });
  const pdf = h('a', { class: 'button primary', download: '' }, icon('print'), translate('sign.pdf'));
  const svg = h('a', { class: 'button', download: '' }, icon('download'), translate('sign.svg'));
  const address = (/** @type {string} */ format) => (
    `/api/collections/devices/items/${encodeURIComponent(id)}/sign?${new URLSearchParams({ f: format, ...look })}`);
  const draw = () => {
    const name = LANGUAGES.find(([code]) => code === look.lang)?.[1] ?? '';
    preview.alt = translate('sign.preview', { language: name, size: look.size.toUpperCase() });
    preview.src = address('svg');
    pdf.setAttribute('href', address('pdf'));
    svg.setAttribute('href', address('svg'));
  };
  /** @param {'lang' | 'size'} part @param {string[][]} options */
  const choice = (part, options) => {
    const field = newId();
    const select = /** @type {HTMLSelectElement} */ (h('select', {
      class: 'text-input', id: field, onchange: () => {
        look[part] = select.value;
        draw();
      },
    }, ...options.map(([value, words]) => h('option', {
      value, selected: value === look[part], lang: part === 'lang' ? value : null,
    }, words))));
    return h('div', { class: 'field' },
      h('label', { class: 'field-label', for: field }, translate(`sign.${part}`)), select);
  };
  draw();
  openDialog({
    title: translate('sign.title'), look: 'sign-dialog',
    body: [
      h('p', {}, translate('sign.lead')),
      h('div', { class: 'sign-fields' }, choice('lang', LANGUAGES), choice('size', SIZES)),
      preview, trouble,
      h('p', { class: 'field-note' }, translate('sign.note')),
    ],
    foot: [pdf, svg],
  });
}
