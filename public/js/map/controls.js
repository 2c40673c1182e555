// @ts-check
// Controls over the map: zoom, pan and locate buttons, scale and credits.

import { h, icon, iconButton, fill } from '../dom.js';
import { formatNumber } from '../format.js';
import { language, translate } from '../i18n.js';
import { isPhone, onWide } from '../panel.js';
import { creditWords } from './credit-words.js';
import { shortCredits } from './credits.js';
import { layersButton, layersPad } from './layers-pad.js';
import { mapMakers } from './street-maps.js';

/** @typedef {import('./map-view.js').MapView} MapView */
/** @typedef {import('../page/start.js').Settings} Settings */

/**
 * @param {MapView} view
 * @param {() => void} locate
 * @param {import('./layers-pad.js').Layers} [layers]
 */
export function mapButtons(view, locate, layers = { show: (ids) => view.showCollections(ids) }) {
  const { collections = [], satellite } = view.options.settings;
  const hasLayers = Boolean(layers.heat) || Boolean(satellite) || collections.length > 0;
  const pad = panPad(view);
  const move = iconButton('move', translate('map.move'), {
    'aria-expanded': 'false', 'aria-controls': 'pan-pad', class: 'map-button map-move',
    onclick: () => {
      pad.hidden = !pad.hidden;
      move.setAttribute('aria-expanded', String(!pad.hidden));
    },
  });
  return h('div', { class: 'map-buttons' },
    pad,
    hasLayers && layersPad(collections, layers, satellite),
    h('div', { class: 'button-stack', role: 'group', 'aria-label': translate('map.controls') },
      iconButton('plus', translate('map.closer'), { class: 'map-button', onclick: () => view.zoomBy(1) }),
      iconButton('minus', translate('map.wider'), { class: 'map-button', onclick: () => view.zoomBy(-1) }),
      move, hasLayers && layersButton(),
      iconButton('locate', translate('map.locate'), { class: 'map-button', id: 'locate', onclick: locate })));
}

/**
 * Four buttons for users who cannot drag.
 * @param {MapView} view
 */
function panPad(view) {
  /** @type {[string, string, string, number, number][]} */
  const ways = [
    ['up', 'map.move.north', 'north', 0, -0.3], ['left', 'map.move.west', 'west', -0.3, 0],
    ['right', 'map.move.east', 'east', 0.3, 0], ['down', 'map.move.south', 'south', 0, 0.3],
  ];
  const pad = h('div', { class: 'pan-pad', id: 'pan-pad', role: 'group', 'aria-label': translate('map.move') },
    ...ways.map(([symbol, key, way, x, y]) => iconButton(symbol, translate(key), {
      class: `map-button pan-${way}`, onclick: () => view.pan(x, y),
    })));
  pad.hidden = true;
  return pad;
}

const STEPS = [1, 2, 5];

/**
 * A scale bar of a round length, updated when the map moves.
 * @param {MapView} view
 */
export function scaleBar(view) {
  const bar = h('div', { class: 'scale', role: 'img' });
  const draw = () => {
    const { latitude, zoom } = view.view;
    const metresPerPixel = (40_075_016.686 * Math.cos((latitude * Math.PI) / 180)) / (512 * 2 ** zoom);
    const most = metresPerPixel * 96;
    const power = 10 ** Math.floor(Math.log10(most));
    const metres = Math.max(...STEPS.map((step) => step * power).filter((length) => length <= most));
    const words = metres >= 1_000
      ? `${formatNumber(metres / 1_000, language())} km` : `${formatNumber(metres, language())} m`;
    bar.style.width = `${Math.round(metres / metresPerPixel)}px`;
    bar.setAttribute('aria-label', translate('map.scale', { length: words }));
    fill(bar, h('span', {}, words));
  };
  view.map.on('move', draw);
  draw();
  return bar;
}

/**
 * Credits for the map and the data. On a phone they fold once the user moves the map.
 * @param {Settings} settings
 * @param {string} [devices] attribution of the devices, in parts separated by « · »
 */
export function credits(settings, devices = '') {
  const { satellite } = settings;
  const sources = shortCredits(devices).split(', ').map(creditWords).join(', ');
  const parts = [
    ...mapMakers(settings).map(creditWords),
    sources && translate('map.devices', { sources, licence: settings.licence ?? '' }),
  ].filter(Boolean);
  return h('details', { class: 'credits', open: true },
    h('summary', {}, icon('info'), h('span', { class: 'visually-hidden' }, translate('map.credits.title'))),
    h('p', {}, `${parts.join(' · ')} · `, satellite && h('span', { class: 'satellite-credit', hidden: true },
      `${satellite.attribution} · `), h('a', { href: '/about#data' }, translate('map.credits'))));
}

/**
 * Credits of a map that a phone shows small: folded there, at once or after a while.
 * @param {Settings} settings @param {string} [devices] @param {number} [after] milliseconds
 */
export function foldedCredits(settings, devices = '', after = 0) {
  const element = credits(settings, devices);
  const fold = () => { if (isPhone() && !element.contains(document.activeElement)) element.removeAttribute('open'); };
  if (after) setTimeout(fold, after);
  else fold();
  // A wide window has no symbol that opens them again.
  onWide(() => element.setAttribute('open', ''));
  return element;
}

/**
 * A small card above the lower edge of the map, opened by its title.
 * @param {string} symbol @param {string} title @param {...HTMLElement} content
 */
export function foldable(symbol, title, ...content) {
  return h('details', { class: 'map-note' },
    h('summary', {}, icon(symbol), h('span', {}, title)), h('div', { class: 'map-note-card' }, ...content));
}
