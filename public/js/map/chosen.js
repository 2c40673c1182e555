// @ts-check
// The shapes of the selected device: its point, the uncertainty of that point, and the field of view. Pure functions.

import { circle, uncertainty, wedge } from '../geography.js';

/** @typedef {import('../devices/device.js').Device} Device */
/** @typedef {import('../types').Geometry} Geometry */
/** @typedef {import('../types').FeatureCollection} FeatureCollection */

const SIGHT = 60; // metres: the length of the field of view on the map, whatever the real range of the device
const ASSUMED_VIEW = 60; // degrees, if the record has no field of view

/**
 * @param {Device | null} device
 * @returns {FeatureCollection}
 */
export function chosenFeatures(device) {
  if (!device) return { type: 'FeatureCollection', features: [] };
  const { position, category, status } = device;
  const radius = uncertainty(device.precision);
  /** @type {(part: string, geometry: Geometry) => import('../types').Feature} */
  const shape = (part, geometry) => (
    { type: 'Feature', properties: { part, category, status }, geometry });
  const features = [];
  if (radius) features.push(shape('ground', { type: 'Polygon', coordinates: [circle(position, radius)] }));
  if (!radius) {
    for (const bearing of device.bearings) {
      const ring = wedge(position, bearing, device.fieldOfView ?? ASSUMED_VIEW, SIGHT);
      features.push(shape('sight', { type: 'Polygon', coordinates: [ring] }));
    }
  }
  features.push(shape('point', { type: 'Point', coordinates: position }));
  return { type: 'FeatureCollection', features };
}
