// @ts-check
// The style of a map for MapLibre: its sources, and all layers in their order.

import { baseLayers, baseSources, placeLayers } from './base-style.js';
import { chosenFeatures } from './chosen.js';
import { contextLayers, contextSources } from './context-layers.js';
import { CHOSEN, CLUSTERS, chosenLayers, deviceLayers } from './device-layers.js';
import { DRAFT, draftLayers } from './draft-layers.js';
import { graticuleLayers } from './graticule.js';
import { HEAT, heatLayers } from './heat-layers.js';
import { OUTLINE, outlineFeatures, outlineLayers } from './outline-layers.js';
import { PALETTES } from './palette.js';
import { SATELLITE, satelliteSources, withSatellite } from './satellite.js';
import { wayLayers, WAYS } from './way-layers.js';

/** @typedef {import('./map-view.js').MapView} MapView */
/** @typedef {import('../types').FeatureCollection} FeatureCollection */

export const NOTHING = Object.freeze({
  type: /** @type {'FeatureCollection'} */ ('FeatureCollection'), features: [],
});

/**
 * The complete style for the current theme, filters and content of a map.
 * @param {MapView} view
 */
export function mapStyle(view) {
  const { settings, theme, language, lastZoom } = view.options;
  const palette = PALETTES[theme];
  /** @type {Record<string, object>} */
  const sources = { ...baseSources(settings, view.streets), ...contextSources(view.collections) };
  const base = baseLayers(settings, view.streets, palette, language);
  const hasImages = view.shown.includes(SATELLITE);
  if (hasImages) Object.assign(sources, satelliteSources(settings));
  if (view.filters !== null) {
    sources.devices = { type: 'vector', tiles: [view.tiles()], maxzoom: lastZoom };
    if (view.clusters.features.length) sources[CLUSTERS] = { type: 'geojson', data: view.clusters };
  }
  if (view.heat) sources[HEAT] = { type: 'geojson', data: view.heat.features };
  for (const [name, data] of Object.entries(overlays(view))) {
    if (data.features.length) sources[name] = { type: 'geojson', data };
  }
  return {
    version: 8,
    // Colours change at once: a printed map shows the first moment of a change.
    transition: { duration: 0, delay: 0 },
    sources,
    layers: [
      ...(hasImages ? withSatellite(base) : base),
      ...graticuleLayers(palette),
      ...outlineLayers(palette),
      ...contextLayers((settings.collections ?? []).map(({ id }) => id), view.collections, palette),
      ...(view.heat ? heatLayers(palette, view.heat.kind) : []),
      ...placeLayers(settings, view.streets, palette, language),
      ...(view.filters === null || view.heat ? [] : deviceLayers(palette, theme)),
      ...wayLayers(palette),
      ...chosenLayers(palette, theme),
      ...draftLayers(palette, theme),
    ].filter(({ source }) => !source || source in sources),
  };
}

/**
 * Features by source. A source is in the style only while it has features: an empty one still costs a message to the
 * worker for each tile in view, before the first map is complete.
 * @param {MapView} view
 * @returns {Record<string, FeatureCollection>}
 */
export function overlays(view) {
  return {
    graticule: view.lines(), [OUTLINE]: outlineFeatures(view.outlined), [CHOSEN]: chosenFeatures(view.chosen),
    [DRAFT]: view.draft, [WAYS]: view.ways, here: pointAt(view.here),
  };
}

/**
 * @param {import('../geography.js').Position | null} position
 * @returns {FeatureCollection}
 */
function pointAt(position) {
  if (!position) return NOTHING;
  return {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: position } }],
  };
}
