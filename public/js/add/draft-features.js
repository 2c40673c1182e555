// @ts-check
// The shapes of a draft on the map. Pure.

import { ASSUMED_VIEW } from '../fields/directions.js';
import { publicCell, publicPoint } from '../fields/public-point.js';
import { wedge } from '../geography.js';
import { precisionOf } from './draft.js';

/** @typedef {import('./draft.js').Draft} Draft */

const SIGHT = 60; // metres a view is drawn, as for devices that are there

/**
 * @param {Draft | null} draft null: nothing
 * @param {{sight: boolean, cell: boolean}} show
 * @returns {{type: 'FeatureCollection', features: any[]}}
 */
export function draftFeatures(draft, show) {
  /** @type {any[]} */
  const features = [];
  if (!draft?.place) return { type: 'FeatureCollection', features };
  const { place, properties } = draft;
  const add = (/** @type {string} */ part, /** @type {any} */ geometry, /** @type {boolean} */ hidden = false) => features.push({
    type: 'Feature', properties: { part, category: properties.category ?? 'other', hidden }, geometry,
  });
  const cell = show.cell ? publicCell(precisionOf(draft), place) : null;
  if (cell) {
    const [west, south, east, north] = cell;
    add('cell', { type: 'Polygon', coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]] });
    add('seen', { type: 'Point', coordinates: publicPoint(precisionOf(draft), place) });
  }
  if (show.sight && !cell) {
    for (const bearing of properties.bearings ?? []) {
      add('sight', { type: 'Polygon', coordinates: [wedge(place, bearing, properties.field_of_view ?? ASSUMED_VIEW, SIGHT)] });
    }
  }
  add('point', { type: 'Point', coordinates: place }, cell !== null);
  return { type: 'FeatureCollection', features };
}
