// @ts-check
// The layers of the public vector tile schemas that street maps use. Pure.

/**
 * A set of features of a layer.
 * @typedef {{layer: string, filter?: unknown}} Part
 */
/**
 * @typedef {object} StreetSchema
 * @property {Part[]} land ground, if the schema has its own
 * @property {Part[]} green parks, woods, grass
 * @property {Part[]} water @property {Part[]} waterways
 * @property {Part[]} buildings
 * @property {Record<'path' | 'minor' | 'major' | 'motorway' | 'rail', Part>} roads
 * @property {Part} names of roads
 * @property {Part & {number: string}} houses points with house numbers
 * @property {Part} quarters names of parts of towns, which the base map does not have
 */

const AREAS = ['==', ['geometry-type'], 'Polygon'];
const LINES = ['==', ['geometry-type'], 'LineString'];
const POINTS = ['==', ['geometry-type'], 'Point'];

/** @param {unknown} value @param {string[]} values */
const among = (value, values) => ['match', value, values, true, false];
/** @param {unknown[]} conditions */
const all = (...conditions) => ['all', ...conditions];

const GREEN = [
  'allotments', 'cemetery', 'dog_park', 'farmland', 'forest', 'garden', 'golf_course', 'grass', 'grassland',
  'grave_yard', 'heath', 'meadow',
  'nature_reserve', 'orchard', 'park', 'pitch', 'playground', 'recreation_ground', 'scrub', 'village_green', 'vineyard',
  'wood',
];
const PATHS = ['path', 'track', 'pedestrian', 'footway', 'steps', 'cycleway', 'bridleway'];
const MINOR = ['minor', 'service', 'residential', 'living_street', 'unclassified', 'tertiary', 'busway'];
const MAJOR = ['secondary', 'primary', 'trunk'];
const RAIL = ['rail', 'transit', 'light_rail', 'tram', 'subway', 'narrow_gauge', 'funicular', 'monorail'];
const QUARTERS = ['suburb', 'quarter', 'neighbourhood', 'hamlet'];

/**
 * openmaptiles.org/schema
 * @returns {StreetSchema}
 */
function openMapTiles() {
  const kind = ['get', 'class'];
  const road = (/** @type {string[]} */ ...classes) =>
    ({ layer: 'transportation', filter: all(['!=', ['geometry-type'], 'Point'], among(kind, classes)) });
  return {
    land: [],
    green: [
      ...['landcover', 'landuse'].map((layer) => ({ layer, filter: among(kind, GREEN) })),
      { layer: 'park', filter: AREAS },
    ],
    water: [{ layer: 'water' }],
    waterways: [{ layer: 'waterway' }],
    buildings: [{ layer: 'building' }],
    roads: {
      path: road(...PATHS), minor: road(...MINOR), major: road(...MAJOR), motorway: road('motorway'),
      rail: road(...RAIL),
    },
    names: { layer: 'transportation_name' },
    houses: { layer: 'housenumber', number: 'housenumber' },
    quarters: { layer: 'place', filter: among(kind, QUARTERS) },
  };
}

/**
 * docs.protomaps.com/basemaps/layers: version 4, and version 3 with its longer names
 * @returns {StreetSchema}
 */
function protomaps() {
  const kind = ['coalesce', ['get', 'kind'], ['get', 'pmap:kind'], ''];
  const detail = ['coalesce', ['get', 'kind_detail'], ['get', 'pmap:kind_detail'], ''];
  const road = (/** @type {unknown} */ filter) => ({ layer: 'roads', filter: all(LINES, filter) });
  return {
    land: [{ layer: 'earth', filter: AREAS }],
    green: [{ layer: 'landuse', filter: all(AREAS, among(kind, GREEN)) }],
    water: [{ layer: 'water', filter: AREAS }],
    waterways: [{ layer: 'water', filter: LINES }],
    buildings: [{ layer: 'buildings', filter: AREAS }],
    roads: {
      path: road(among(kind, ['path', 'other'])),
      minor: road(['==', kind, 'minor_road']),
      major: road(among(kind, ['major_road', 'medium_road'])),
      motorway: road(all(['==', kind, 'highway'], ['!=', detail, 'motorway_link'])),
      rail: road(['==', kind, 'rail']),
    },
    names: { layer: 'roads', filter: LINES },
    houses: { layer: 'buildings', filter: POINTS, number: 'addr_housenumber' },
    quarters: { layer: 'places', filter: among(kind, ['neighbourhood', 'macrohood', 'suburb']) },
  };
}

/**
 * shortbread-tiles.org/schema
 * @returns {StreetSchema}
 */
function shortbread() {
  const kind = ['get', 'kind'];
  const road = (/** @type {string[]} */ ...kinds) => ({ layer: 'streets', filter: among(kind, kinds) });
  return {
    land: [],
    green: [{ layer: 'land', filter: among(kind, GREEN) }],
    water: [{ layer: 'ocean' }, { layer: 'water_polygons' }],
    waterways: [{ layer: 'water_lines' }],
    buildings: [{ layer: 'buildings' }],
    roads: {
      path: road(...PATHS), minor: road(...MINOR), major: road(...MAJOR), motorway: road('motorway'),
      rail: road(...RAIL),
    },
    names: { layer: 'street_labels' },
    houses: { layer: 'addresses', number: 'housenumber' },
    quarters: { layer: 'place_labels', filter: among(kind, QUARTERS) },
  };
}

/** @type {Record<string, StreetSchema>} by the schema names in /api/settings */
export const STREET_SCHEMAS = { openmaptiles: openMapTiles(), protomaps: protomaps(), shortbread: shortbread() };
