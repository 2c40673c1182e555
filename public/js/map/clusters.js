// @ts-check
// The clusters that the map draws. The server makes one cluster for each cell of a grid, at the mean position of its
// devices, so that clusters of neighbouring cells may overlap. These functions join overlapping clusters: every device
// stays in exactly one count. Pure functions.

import { wrapLongitude } from '../geography.js';

/** @typedef {import('../types').Feature} Feature */
/** @typedef {(category: string) => string} FamilyOf */
/**
 * @typedef {object} Cluster
 * @property {number} x pixels of the whole world at the zoom @property {number} y
 * @property {number} world its width in these pixels
 * @property {[number, number]} position
 * @property {number} count
 * @property {[number, number, number, number]} box a west greater than the east crosses the antimeridian
 * @property {boolean} stack
 * @property {Map<string, number>} categories the most frequent categories and their counts
 */

const TILE = 512; // pixels
/** Counts from which a cluster is drawn larger. */
const SIZES = [100, 2_000, 20_000];
const GAP = 2; // pixels between two clusters
const PARTS = 12; // of a ring
const MOST_PASSES = 8; // a larger symbol may overlap further clusters

/**
 * The size class of a cluster, 0 to 3.
 * @param {number} count
 */
export function sizeClass(count) {
  return SIZES.filter((from) => count >= from).length;
}

/**
 * Joins clusters that would overlap at a zoom.
 * @param {{geometry: {coordinates: [number, number]}, properties: any}[]} features clusters of tiles
 * @param {number} zoom lowest zoom at which they are drawn @param {number[]} diameters by size class, in pixels
 * @param {FamilyOf} familyOf
 * @returns {Feature[]}
 */
export function drawnClusters(features, zoom, diameters, familyOf) {
  let clusters = features.map((feature) => read(feature, zoom)).sort((a, b) => b.count - a.count);
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const next = joined(clusters, diameters);
    if (next.length === clusters.length) break;
    clusters = next.sort((a, b) => b.count - a.count);
  }
  return clusters.map((cluster) => feature(cluster, familyOf));
}

/**
 * Joins each cluster with the first larger one that it overlaps.
 * @param {Cluster[]} clusters in descending order of their counts @param {number[]} diameters
 */
function joined(clusters, diameters) {
  /** @type {Cluster[]} */
  const kept = [];
  for (const cluster of clusters) {
    const width = diameters[sizeClass(cluster.count)];
    const near = kept.find((other) => {
      const least = (width + diameters[sizeClass(other.count)]) / 2 + GAP;
      const apart = Math.abs(other.x - cluster.x);
      return Math.hypot(Math.min(apart, cluster.world - apart), other.y - cluster.y) < least;
    });
    if (near) add(near, cluster);
    else kept.push(cluster);
  }
  return kept;
}

/**
 * Adds the members of a cluster to a larger one, which stays where it is.
 * @param {Cluster} into @param {Cluster} from
 */
function add(into, from) {
  into.stack = into.stack && from.stack && into.box.every((edge, place) => edge === from.box[place]);
  into.count += from.count;
  into.box = joinedBox(into.box, from.box);
  for (const [category, count] of from.categories) {
    into.categories.set(category, (into.categories.get(category) ?? 0) + count);
  }
}

/**
 * The narrower of the two boxes around two boxes; each may cross the antimeridian.
 * @param {Cluster['box']} one @param {Cluster['box']} other
 * @returns {Cluster['box']}
 */
export function joinedBox([west, south, east, north], [otherWest, otherSouth, otherEast, otherNorth]) {
  const [end, otherEnd] = [unrolled(west, east), unrolled(otherWest, otherEast)];
  const [from, to] = [-360, 0, 360]
    .map((turn) => [Math.min(west, otherWest + turn), Math.max(end, otherEnd + turn)])
    .reduce((best, box) => (box[1] - box[0] < best[1] - best[0] ? box : best));
  const sides = to - from >= 360 ? [-180, 180] : [wrapLongitude(from), wrapLongitude(to)];
  return [sides[0], Math.min(south, otherSouth), sides[1], Math.max(north, otherNorth)];
}

/**
 * The east as a number that is not below the west.
 * @param {number} west @param {number} east
 */
function unrolled(west, east) { return east < west ? east + 360 : east; }

/**
 * @param {{geometry: {coordinates: [number, number]}, properties: any}} feature @param {number} zoom
 * @returns {Cluster}
 */
function read({ geometry: { coordinates: [longitude, latitude] }, properties }, zoom) {
  const { count, west, south, east, north, stack = false } = properties;
  const world = TILE * 2 ** zoom;
  const sine = Math.sin((latitude * Math.PI) / 180);
  /** @type {Map<string, number>} */
  const categories = new Map();
  for (const place of [1, 2, 3]) {
    const category = properties[`category_${place}`];
    if (category) categories.set(category, properties[`count_${place}`] ?? 0);
  }
  return {
    x: ((longitude + 180) / 360) * world, y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world,
    world, position: [longitude, latitude], count, box: [west, south, east, north], stack, categories,
  };
}

/** @param {Cluster} cluster @param {FamilyOf} familyOf @returns {Feature} */
function feature({ position, count, box: [west, south, east, north], stack, categories }, familyOf) {
  const leading = [...categories].sort((a, b) => b[1] - a[1]);
  /** @type {Record<string, unknown>} */
  const named = {};
  leading.slice(0, 3).forEach(([category, members], place) => {
    named[`category_${place + 1}`] = category;
    named[`count_${place + 1}`] = members;
  });
  const look = `${leading[0]?.[0] ?? 'other'}/${ring(categories, count, familyOf)}/${sizeClass(count)}`;
  return {
    type: 'Feature', geometry: { type: 'Point', coordinates: position },
    properties: { count, west, south, east, north, ...named, stack, look },
  };
}

/**
 * The parts of the ring around a cluster: families and their shares in twelfths, the largest first. Categories that
 * the server did not name are in no part.
 * @param {Map<string, number>} categories @param {number} count @param {FamilyOf} familyOf
 * @returns {string} «camera7plate3»
 */
export function ring(categories, count, familyOf) {
  /** @type {Map<string, number>} */
  const families = new Map();
  for (const [category, members] of categories) {
    const family = familyOf(category);
    families.set(family, (families.get(family) ?? 0) + members);
  }
  const largest = [...families].sort((a, b) => b[1] - a[1]);
  let left = PARTS;
  return largest.map(([family, members]) => {
    const part = Math.min(left, Math.max(1, Math.round((PARTS * members) / count)));
    left -= part;
    return part ? `${family}${part}` : '';
  }).join('');
}
