// @ts-check
// The streets that the map has drawn, to distinguish devices of one name: «Main Street, north side».

import { wind } from '../format.js';
import { STREET_SCHEMAS } from './street-schemas.js';
import { streetSource } from './street-maps.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {{name: string, line: Position[]}} NamedLine */
/** @typedef {{name: string, side: string | null}} Street `side`: the wind of the side of the street */
/** @typedef {(position: Position) => Street | null} StreetOf */

const CLOSE = 13.5; // zoom from which the tiles have the names of small streets
const REACH = 40; // metres: farther away, a device is not in a street
const BESIDE = 4; // metres: nearer to the middle of a street, a device is on no side of it
const METRES = 111_195; // of a degree of latitude

/**
 * Says in which streets positions are, each time the map has loaded the tiles of a close view.
 * @param {any} map the MapLibre map @param {import('../page/start.js').Settings} settings @param {string} language
 * @param {(streetOf: StreetOf) => void} tell
 */
export function nameStreets(map, settings, language, tell) {
  const name = () => {
    if (map.getZoom() < CLOSE) return;
    const streets = namedLines(map, settings, language);
    if (streets.length) tell((position) => streetAt(streets, position));
  };
  map.on('idle', name);
  name();
}

/**
 * The named streets of the tiles that a map has loaded.
 * @param {any} map the MapLibre map @param {import('../page/start.js').Settings} settings @param {string} language
 * @returns {NamedLine[]}
 */
export function namedLines(map, settings, language) {
  return settings.streets.flatMap(({ schema }, index) => {
    if (!map.getSource(streetSource(index))) return [];
    const { names } = STREET_SCHEMAS[schema ?? 'openmaptiles'] ?? STREET_SCHEMAS.openmaptiles;
    const found = map.querySourceFeatures(streetSource(index), {
      sourceLayer: names.layer, ...(names.filter ? { filter: names.filter } : {}),
    });
    return found.flatMap((/** @type {any} */ { geometry, properties }) => {
      const name = properties[`name:${language}`] || properties[`name_${language}`] || properties.name;
      const lines = geometry.type === 'LineString' ? [geometry.coordinates]
        : geometry.type === 'MultiLineString' ? geometry.coordinates : [];
      return name ? lines.map((/** @type {Position[]} */ line) => ({ name: String(name), line })) : [];
    });
  });
}

/**
 * The street of a position, with the side on which it is; null if none is near.
 * @param {NamedLine[]} streets @param {Position} position
 * @returns {Street | null}
 */
export function streetAt(streets, [longitude, latitude]) {
  const narrow = Math.cos((latitude * Math.PI) / 180);
  // Metres east and north of the position.
  const flat = (/** @type {Position} */ [x, y]) => [(x - longitude) * narrow * METRES, (y - latitude) * METRES];
  let least = REACH;
  let best = '';
  let foot = [0, 0];
  for (const { name, line } of streets) {
    let [ax, ay] = flat(line[0]);
    for (const corner of line.slice(1)) {
      const [bx, by] = flat(corner);
      const [dx, dy] = [bx - ax, by - ay];
      const square = dx * dx + dy * dy;
      const share = square ? Math.max(0, Math.min(1, -(ax * dx + ay * dy) / square)) : 0;
      const [x, y] = [ax + share * dx, ay + share * dy];
      const far = Math.hypot(x, y);
      if (far < least) {
        least = far;
        best = name;
        foot = [x, y];
      }
      [ax, ay] = [bx, by];
    }
  }
  if (!best) return null;
  const bearing = ((Math.atan2(-foot[0], -foot[1]) * 180) / Math.PI + 360) % 360;
  return { name: best, side: least < BESIDE ? null : wind(bearing) };
}
