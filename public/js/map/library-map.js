// @ts-check
// The map of the library, with our settings.

import { prefersStillness } from '../dom.js';
import { MAX_ZOOM } from '../geography.js';
import { translate } from '../i18n.js';
import { fetchMaplibre, maplibre } from '../vendor.js';
import { BOLD, FONT } from './expressions.js';
import { waitForFirstPicture } from './first-picture.js';
import { loadSymbols, provideImages } from './markers.js';

/**
 * Loads the library and images for a map. Throws if the library cannot be loaded.
 * @param {string[]} [categories] categories whose symbols the map needs from the start
 */
export async function prepareMap(categories = []) {
  await Promise.all([
    fetchMaplibre().then((library) => library.prewarm()), // its worker starts while the map is being made
    loadSymbols(categories), ...[FONT, BOLD].map((font) => document.fonts.load(`16px "${font}"`)),
  ]);
}

/**
 * A flat map that points north. Throws if the browser has no WebGL.
 * @param {import('./map-view.js').MapOptions} options @param {object} style
 * @returns {any} a MapLibre map
 */
export function libraryMap({ container, view, isEmbedded = false }, style) {
  const { longitude, latitude, zoom } = view;
  const map = new (maplibre().Map)({
    container,
    style,
    center: [longitude, latitude],
    zoom,
    maxZoom: MAX_ZOOM,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    fadeDuration: prefersStillness() ? 0 : 200,
    cooperativeGestures: isEmbedded,
    transformRequest: isEmbedded ? (/** @type {string} */ url) => ({ url, credentials: 'omit' }) : undefined,
    validateStyle: false, // the style is ours, and the browser tests validate it
    locale: {
      'Map.Title': translate('map.label'),
      'CooperativeGesturesHandler.WindowsHelpText': translate('map.gesture.windows'),
      'CooperativeGesturesHandler.MacHelpText': translate('map.gesture.mac'),
      'CooperativeGesturesHandler.MobileHelpText': translate('map.gesture.touch'),
    },
  });
  waitForFirstPicture(map);
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  provideImages(map);
  return map;
}
