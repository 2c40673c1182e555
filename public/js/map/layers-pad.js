// @ts-check
// The menu of layers: the heat map, and further collections below the devices.

import { h, iconButton } from '../dom.js';
import { translate } from '../i18n.js';

/**
 * @typedef {object} Layers
 * @property {{isOn: boolean, turn: (isOn: boolean) => void}} [heat] absent if this map has no heat map
 * @property {string[]} [shown] ids of the further collections that are visible from the start
 * @property {(ids: string[]) => void} show
 * @property {() => void} [middle] describes the content of the layers in the middle of the map
 */

/** Opens and closes the menu. */
export function layersButton() {
  const button = iconButton('layers', translate('map.layers'), {
    'aria-expanded': 'false', 'aria-controls': 'layers-pad', class: 'map-button',
    onclick: () => {
      const pad = document.getElementById('layers-pad');
      if (!pad) return;
      pad.hidden = !pad.hidden;
      button.setAttribute('aria-expanded', String(!pad.hidden));
      if (!pad.hidden) pad.querySelector('input')?.focus();
    },
  });
  return button;
}

/**
 * The checkboxes of the layers, with the attribution of each collection.
 * @param {{id: string, title: string, attribution: string}[]} collections
 * @param {Layers} layers
 */
export function layersPad(collections, { heat, shown = [], show, middle }) {
  const lines = h('div', { onchange: () => show(boxes(lines).filter((box) => box.checked).map((box) => box.value)) },
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
  heat && line({
    id: 'heat-box', checked: heat.isOn,
    onchange: (/** @type {Event} */ event) => heat.turn(/** @type {HTMLInputElement} */ (event.target).checked),
  }, translate('heat.name'), translate('heat.what')),
  lines,
  middle && h('button', { type: 'button', class: 'layers-here', onclick: middle }, translate('map.layers.here')));
  pad.hidden = true;
  settle(pad);
  return pad;
}

/**
 * Updates the checkboxes to the visible layers.
 * @param {{heat: boolean, layers: string[]}} state
 */
export function tickLayers({ heat, layers }) {
  const pad = document.getElementById('layers-pad');
  if (!pad) return;
  for (const box of boxes(pad)) box.checked = box.id === 'heat-box' ? heat : layers.includes(box.value);
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
  pad.querySelector('.layers-here')?.toggleAttribute('disabled', !boxes(pad).some((box) => box.checked));
}

/** @param {Record<string, unknown>} attributes @param {Node | string} name @param {Node | string} about */
function line(attributes, name, about) {
  return h('label', { class: 'layers-line' }, h('input', { type: 'checkbox', ...attributes }),
    h('span', {}, name, h('small', {}, about)));
}
