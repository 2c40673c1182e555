// @ts-check
// The shapes of the chosen device: its point, how sure the point is, and where it looks. Pure.

import { circle, uncertainty, wedge } from '../geography.js';

/** @typedef {import('../devices/device.js').Device} Device */

const SIGHT = 60; // metres a view is drawn, whatever the device can see
const ASSUMED_VIEW = 60; // degrees, where the record does not say

/**
 * @param {Device | null} device
 * @returns {{type: 'FeatureCollection', features: any[]}}
 */
export function chosenFeatures(device) {
  if (!device) return { type: 'FeatureCollection', features: [] };
  const { position, category, status } = device;
  const radius = uncertainty(device.precision);
  const shape = (/** @type {string} */ part, /** @type {any} */ geometry) => (
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
