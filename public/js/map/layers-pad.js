// @ts-check
// The menu of layers: how the map shows devices, aerial images and further collections below them.

import { h, iconButton } from '../dom.js';
import { translate } from '../i18n.js';
import { SATELLITE, satelliteWords } from './satellite.js';

/** @typedef {import('./heat.js').HeatKind} HeatKind */
/**
 * @typedef {object} Layers
 * @property {{kind: HeatKind | null, turn: (kind: HeatKind | null) => void}} [heat] absent if this map has no heat map
 * @property {string[]} [shown] ids of the further collections that are visible from the start
 * @property {(ids: string[]) => void} show
 * @property {() => void} [middle] describes the content of the layers in the middle of the map
 */

const WAY = 'way'; // the name of the radio buttons

/** Opens and closes the menu. */
export function layersButton() {
  const button = iconButton('layers', translate('map.layers'), {
    'aria-expanded': 'false', 'aria-controls': 'layers-pad', class: 'map-button map-layers',
    onclick: () => {
      const pad = document.getElementById('layers-pad');
      if (!pad) return;
      pad.hidden = !pad.hidden;
      button.setAttribute('aria-expanded', String(!pad.hidden));
      if (!pad.hidden) /** @type {HTMLElement | null} */ (pad.querySelector('input:checked, input'))?.focus();
    },
  });
  return button;
}

/**
 * The checkboxes of the layers, with the attribution of each collection.
 * @param {{id: string, title: string, attribution: string}[]} collections
 * @param {Layers} layers
 * @param {import('../types').Settings['satellite']} [satellite] aerial images, if the instance has any
 */
export function layersPad(collections, { heat, shown = [], show, middle }, satellite = null) {
  const lines = h('div', { onchange: () => show(boxes(lines).filter((box) => box.checked).map((box) => box.value)) },
    satellite && line({ value: SATELLITE, checked: shown.includes(SATELLITE) },
      translate('satellite.name'), satelliteWords(satellite)),
    ...collections.map(({ id, title, attribution }) => (
      line({ value: id, checked: shown.includes(id) }, h('bdi', {}, title), h('bdi', {}, attribution)))));
  const pad = h('fieldset', {
    class: 'layers-pad', id: 'layers-pad', onchange: () => settle(pad),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      const button = /** @type {HTMLElement | null} */ (document.querySelector('[aria-controls="layers-pad"]'));
      button?.click();
      button?.focus();
    },
  },
  h('legend', {}, translate('map.layers')),
  heat && waysToShow(heat),
  lines,
  middle && h('button', { type: 'button', class: 'layers-here', onclick: middle }, translate('map.layers.here')));
  pad.hidden = true;
  settle(pad);
  return pad;
}

/** @type {[HeatKind | '', string][]} */
const WAYS = [['', 'heat.off.name'], ['smooth', 'heat.name'], ['squares', 'heat.squares']];

/**
 * Radio buttons for the ways to show devices on the map.
 * @param {NonNullable<Layers['heat']>} heat
 */
function waysToShow({ kind, turn }) {
  return h('div', { role: 'radiogroup', 'aria-label': translate('heat.ways') }, ...WAYS.map(([value, key]) => line({
    type: 'radio', name: WAY, value, checked: value === (kind ?? ''), onchange: () => turn(value || null),
  }, translate(key), translate(`${key}.what`))));
}

/**
 * Updates the boxes to the visible layers.
 * @param {{heat: HeatKind | null, layers: string[]}} state
 */
export function tickLayers({ heat, layers }) {
  const pad = document.getElementById('layers-pad');
  if (!pad) return;
  for (const box of boxes(pad)) {
    box.checked = box.name === WAY ? box.value === (heat ?? '') : layers.includes(box.value);
  }
  settle(pad);
}

/** @param {HTMLElement} part */
function boxes(part) {
  return /** @type {HTMLInputElement[]} */ ([...part.querySelectorAll('input')]);
}

/**
 * Disables the button for the middle of the map if no layer is visible.
 * @param {HTMLElement} pad
 */
function settle(pad) {
  const hasLayer = boxes(pad).some((box) => box.checked && box.value !== '' && box.value !== SATELLITE);
  pad.querySelector('.layers-here')?.toggleAttribute('disabled', !hasLayer);
}

/** @param {Record<string, unknown>} attributes @param {Node | string} name @param {Node | string} about */
function line(attributes, name, about) {
  return h('label', { class: 'layers-line' }, h('input', { type: 'checkbox', ...attributes }),
    h('span', {}, name, h('small', {}, about)));
}
