// @ts-check
// GeoJSON features that show a draft on the map. Pure.

import { precisionOf } from '../drafts/draft.js';
import { ASSUMED_VIEW } from '../fields/directions.js';
import { publicCell, publicPoint } from '../fields/public-point.js';
import { wedge } from '../geography.js';

/** @typedef {import('../drafts/draft.js').Draft} Draft */
/** @typedef {import('../types').Feature} Feature */
/** @typedef {import('../types').FeatureCollection} FeatureCollection */
/** @typedef {import('../types').Geometry} Geometry */

const SIGHT = 60; // length in metres of the drawn field of view, as for devices on the map

/**
 * @param {Pick<Draft, 'place' | 'properties'> | null} draft null: no features
 * @param {{sight: boolean, cell: boolean}} show
 * @returns {FeatureCollection}
 */
export function draftFeatures(draft, show) {
  /** @type {Feature[]} */
  const features = [];
  if (!draft?.place) return { type: 'FeatureCollection', features };
  const { place, properties } = draft;
  /** @param {string} part @param {Geometry} geometry */
  const add = (part, geometry, hidden = false) => features.push({
    type: 'Feature', properties: { part, category: properties.category ?? 'other', hidden }, geometry,
  });
  const cell = show.cell ? publicCell(precisionOf(draft), place) : null;
  if (cell) {
    const [west, south, east, north] = cell;
    add('cell', {
      type: 'Polygon', coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]],
    });
    add('seen', { type: 'Point', coordinates: publicPoint(precisionOf(draft), place) });
  }
  if (show.sight && !cell) {
    for (const bearing of properties.bearings ?? []) {
      add('sight', {
        type: 'Polygon', coordinates: [wedge(place, bearing, properties.field_of_view ?? ASSUMED_VIEW, SIGHT)],
      });
    }
  }
  add('point', { type: 'Point', coordinates: place }, cell !== null);
  return { type: 'FeatureCollection', features };
}

/**
 * GeoJSON features of drafts that the user has just added in one street: the map gets the devices later.
 * @param {Pick<Draft, 'place' | 'properties'>[]} drafts
 * @returns {FeatureCollection}
 */
export function rowFeatures(drafts) {
  return {
    type: 'FeatureCollection',
    features: drafts.flatMap((draft) => draftFeatures(draft, { sight: true, cell: false }).features),
  };
}
