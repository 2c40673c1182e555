// @ts-check
// The outline of the place that the user searched for: its border, or the box around it where no border is known.

/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('../geography.js').Box} Box */
/** @typedef {import('../types').FeatureCollection} FeatureCollection */

export const OUTLINE = 'outline';

const HOUSE = 0.0015; // degrees: a smaller box is that of one address
const RADIUS = 0.0003; // degrees of latitude, about 33 metres
const CORNERS = 48; // of the circle

/** @typedef {import('../types').Feature} Feature */

/**
 * A border, the edges of a box, or a circle around an address: a small rectangle would look like the land of the house.
 * @param {Box | Feature | null} box
 * @returns {FeatureCollection}
 */
export function outlineFeatures(box) {
  if (!box) return { type: 'FeatureCollection', features: [] };
  if (!Array.isArray(box)) return { type: 'FeatureCollection', features: [box] };
  const [west, south, , north] = box;
  const east = box[2] < west ? box[2] + 360 : box[2];
  /** @type {import('../types').Position[]} */
  const ring = Math.max(east - west, north - south) < HOUSE ? circle((west + east) / 2, (south + north) / 2)
    : [[west, south], [east, south], [east, north], [west, north], [west, south]];
  return {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: ring } }],
  };
}

/**
 * @param {number} longitude @param {number} latitude
 * @returns {import('../types').Position[]}
 */
function circle(longitude, latitude) {
  const wide = RADIUS / Math.max(0.01, Math.cos(latitude * Math.PI / 180));
  return Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const angle = corner % CORNERS / CORNERS * 2 * Math.PI;
    return [longitude + wide * Math.cos(angle), latitude + RADIUS * Math.sin(angle)];
  });
}

/** @param {Palette} palette */
export function outlineLayers(palette) {
  return [
    {
      id: 'outline-casing', type: 'line', source: OUTLINE,
      paint: { 'line-color': palette.paper, 'line-width': 5, 'line-opacity': 0.7 },
    },
    {
      id: 'outline', type: 'line', source: OUTLINE,
      paint: { 'line-color': palette.sea, 'line-width': 2, 'line-dasharray': [4, 2] },
    },
  ];
}
