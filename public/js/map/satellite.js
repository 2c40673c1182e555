// @ts-check
// Aerial images below the streets’ names. Off until the user switches them on: they may come from another server.

import { translate } from '../i18n.js';

/** @typedef {import('../page/start.js').Settings} Settings */

/** Its id among the layers of the address. */
export const SATELLITE = 'satellite';

const TILE = 256; // pixels

/**
 * @param {Settings} settings
 * @returns {Record<string, object>}
 */
export function satelliteSources({ satellite }) {
  if (!satellite) return {};
  const { tiles, min_zoom: minzoom, max_zoom: maxzoom, bounds, attribution } = satellite;
  const address = tiles.includes('://') ? tiles : location.origin + tiles;
  return {
    [SATELLITE]: {
      type: 'raster', tileSize: TILE, tiles: [address], minzoom, maxzoom, attribution, ...(bounds ? { bounds } : {}),
    },
  };
}

/**
 * The layers of a base map with the images above its areas and lines and below its names.
 * @param {any[]} layers
 */
export function withSatellite(layers) {
  const isName = (/** @type {{type: string}} */ { type }) => type === 'symbol';
  return [
    ...layers.filter((layer) => !isName(layer)),
    { id: SATELLITE, type: 'raster', source: SATELLITE },
    ...layers.filter(isName),
  ];
}

/**
 * The notice about the images in the menu of layers.
 * @param {NonNullable<Settings['satellite']>} satellite
 */
export function satelliteWords({ attribution, host }) {
  return [attribution, host && translate('satellite.outside', { host })].filter(Boolean).join(' · ');
}

/**
 * Shows the credit of the images while they are visible.
 * @param {boolean} isShown
 */
export function creditSatellite(isShown) {
  for (const credit of document.querySelectorAll('.satellite-credit')) credit.toggleAttribute('hidden', !isShown);
}
