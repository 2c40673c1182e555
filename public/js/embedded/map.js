// @ts-check
// The map in a frame: the devices of its filters, the number in view, and the tapped device with a link to its page.

import { getJSON, isAbort, latestOnly } from '../api.js';
import { readDevice } from '../devices/device.js';
import { familiesOf, kindsTitle } from '../devices/kinds.js';
import { kindsPath } from '../devices/list-request.js';
import { displayName, prepareName } from '../devices/name.js';
import { statusBadge } from '../devices/terms.js';
import { fill, h, icon, iconButton } from '../dom.js';
import { viewOfBox, viewOfPlace } from '../geography.js';
import { language, translate } from '../i18n.js';
import { boxOfCells } from '../map/box-of-cells.js';
import { foldedCredits, scaleBar } from '../map/controls.js';
import { listenToMap } from '../map/interaction.js';
import { createMap } from '../map/map-view.js';
import { onTheme, theme } from '../page/theme.js';
import { placeOf } from '../places.js';
import { borderOf } from '../places/border.js';
import { decodeState, encodeView, filterParameters } from '../state.js';
import { familyOf, scheme } from '../taxonomies.js';
import { MAP_WORDS } from './schemes.js';

/** @typedef {import('../types').Settings} Settings */
/** @typedef {import('../types').View} View */
/** @typedef {import('../map/map-view.js').MapView} MapView */

const PAUSE = 300; // milliseconds without movement before the devices are counted
const ROUND = 24; // pixels around the devices
const READING = 5_000; // milliseconds until the credits fold in a narrow frame

/**
 * @param {HTMLElement} content @param {Settings} settings @param {HTMLElement} wayOut
 * @returns {Promise<MapView | null>} null if the browser draws no maps
 */
export async function showMap(content, settings, wayOut) {
  const state = decodeState(location.search, location.hash);
  const [tiles] = await Promise.all([
    getJSON('/api/tiles/devices.json'), ...MAP_WORDS.map((name) => scheme(name).catch(() => null)),
  ]);
  const title = h('p', { class: 'embed-title', role: 'status' });
  const card = h('section', { class: 'embed-card', 'aria-label': translate('embed.device') });
  card.hidden = true;
  const canvas = h('div', { class: 'map-canvas' });
  const room = h('div', { class: 'map embed-map' }, canvas, title, card);
  fill(content, room);
  /** @type {MapView} */
  let view;
  try {
    view = await createMap({
      container: canvas, settings, view: state.view ?? await allDevices(room, settings), theme: theme(),
      language: language(), filters: devicesOf(state).toString(), shown: state.layers,
      lastZoom: Number.isInteger(tiles.maxzoom) ? Number(tiles.maxzoom) : 16, categories: [], isEmbedded: true,
    });
  } catch {
    fill(content, h('p', { class: 'embed-words' }, translate('map.none')), wayOut);
    return null;
  }
  room.append(buttons(view), h('div', { class: 'map-foot embed-map-foot' }, scaleBar(view), wayOut,
    foldedCredits(settings, tiles.attribution ?? '', READING)));
  onTheme((now) => view.setTheme(now));
  if (state.place) outlinePlace(view, state.place);
  listenToMap(view, {
    tapped: () => false, context: () => undefined, nothing: () => close(view, card),
    device: (id) => { open(view, card, id); },
    spot: ([west, south, east, north]) => view.fit([west, south, east, north], 18),
  });
  follow(view, title, state);
  return view;
}

/**
 * The filters of the address, with its place.
 * @param {import('../state.js').PageState} state
 */
function devicesOf(state) {
  const parameters = filterParameters(state);
  if (state.place) parameters.set('place', state.place);
  return parameters;
}

/** @param {HTMLElement} room @param {Settings} settings @returns {Promise<View>} */
async function allDevices({ clientWidth, clientHeight }, settings) {
  const state = decodeState(location.search, '');
  const place = state.place ? await placeOf(state.place) : null;
  if (place) {
    return viewOfPlace(place, Math.max(1, clientWidth - 2 * ROUND), Math.max(1, clientHeight - 2 * ROUND));
  }
  const parameters = devicesOf(state);
  parameters.set('grid', '7');
  const { grid } = await getJSON(`/api/statistics?${parameters}`).catch(() => ({ grid: null }));
  const box = grid && boxOfCells(grid);
  return box ? viewOfBox(box, Math.max(1, clientWidth - 2 * ROUND), Math.max(1, clientHeight - 2 * ROUND), 9)
    : settings.view;
}

/** @param {MapView} view @param {string} id */
async function outlinePlace(view, id) {
  const place = await placeOf(id);
  const border = place && await borderOf(place, view.view.zoom);
  if (border) view.outline(border);
}

/** @param {MapView} view */
function buttons(view) {
  return h('div', { class: 'map-buttons embed-buttons' },
    h('div', { class: 'button-stack', role: 'group', 'aria-label': translate('map.controls') },
      iconButton('plus', translate('map.closer'), { class: 'map-button', onclick: () => view.zoomBy(1) }),
      iconButton('minus', translate('map.wider'), { class: 'map-button', onclick: () => view.zoomBy(-1) })));
}

/**
 * Names the devices in view, and keeps the view in the address, from which the link to the whole page takes it.
 * @param {MapView} view @param {HTMLElement} title @param {import('../state.js').PageState} state
 */
function follow(view, title, state) {
  const ask = latestOnly();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const tell = async () => {
    try {
      const { numberMatched, kinds } = await ask(kindsPath(state, view.box));
      title.textContent = kindsTitle(numberMatched, familiesOf(kinds, familyOf));
    } catch (error) {
      if (!isAbort(error)) title.textContent = '';
    }
  };
  const moved = () => {
    history.replaceState(null, '', `${location.pathname}${location.search}#${encodeView(view.view)}`);
    clearTimeout(timer);
    timer = setTimeout(tell, PAUSE);
  };
  view.map.on('moveend', moved);
  tell();
}

/** @param {MapView} view @param {HTMLElement} card @param {string} id */
async function open(view, card, id) {
  const feature = await getJSON(`/api/collections/devices/items/${encodeURIComponent(id)}`).catch(() => null);
  if (!feature) return;
  const device = readDevice(feature);
  await prepareName(device);
  view.choose(device);
  const link = h('a', { href: `/devices/${id}` }, displayName(device), icon('external'));
  fill(card,
    h('div', {}, h('p', { class: 'embed-card-name' }, link), statusBadge(device.status)),
    iconButton('close', translate('close'), { onclick: () => close(view, card) }));
  card.hidden = false;
  link.focus();
}

/** @param {MapView} view @param {HTMLElement} card */
function close(view, card) {
  if (card.hidden) return;
  card.hidden = true;
  view.choose(null);
}
