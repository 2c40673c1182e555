// @ts-check
// Reads the devices of whole cells. The requests have neither cookie nor referrer, come in random order, and are the
// same for all clients.

import { getUnnamed } from '../api.js';
import { boxOfCell } from '../local-watches/grid.js';
import { scheme } from '../taxonomies.js';
import { hidden } from './decoys.js';
import { cellPath } from './regions.js';
import { readSensor } from './sensor.js';

/** @typedef {import('./sensor.js').Sensor} Sensor */

const AT_ONCE = 3; // requests
const MOST_PAGES = 20; // of one cell: 200,000 devices
const FRESH = 600_000; // milliseconds for which a page keeps what it has read

/** @type {Map<number, {at: number, features: Promise<any[]>}>} what this page has read */
const known = new Map();

/**
 * The devices of some cells that collect something about people who pass.
 * @param {number[]} cells
 * @param {{isFresh?: boolean, isHidden?: boolean, progress?: (share: number) => void}} options `isFresh`: read again
 *   what this page has; `isHidden`: the cells contain decoys already
 * @returns {Promise<Sensor[]>}
 * @throws {import('../api.js').Refusal | import('../api.js').Outage}
 */
export async function sensorsOf(cells, { isFresh = false, isHidden = false, progress } = {}) {
  const [wanted, categories] = await Promise.all([isHidden ? cells : hidden(cells), scheme('categories')]);
  const real = new Set(cells);
  const order = shuffled(wanted);
  /** @type {Map<string, Sensor>} a device on the edge of two cells is in both */
  const sensors = new Map();
  const now = Date.now();
  let done = 0;
  for (let i = 0; i < order.length; i += AT_ONCE) {
    await Promise.all(order.slice(i, i + AT_ONCE).map(async (cell) => {
      const features = await featuresOf(cell, isFresh);
      if (real.has(cell)) {
        for (const feature of features) {
          const sensor = readSensor(feature, now, (code) => categories.get(code)?.collects ?? []);
          if (sensor) sensors.set(sensor.id, sensor);
        }
      }
      done += 1;
      progress?.(done / order.length);
    }));
  }
  return [...sensors.values()];
}

/** @param {number} cell @param {boolean} isFresh */
function featuresOf(cell, isFresh) {
  const kept = known.get(cell);
  if (kept && !isFresh && Date.now() - kept.at < FRESH) return kept.features;
  const features = readCell(cell, isFresh);
  known.set(cell, { at: Date.now(), features });
  features.catch(() => known.delete(cell));
  return features;
}

/** @param {number} cell @param {boolean} isFresh */
async function readCell(cell, isFresh) {
  /** @type {any[]} */
  const features = [];
  let path = cellPath(cell);
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { body } = await getUnnamed(path, isFresh);
    features.push(...body.features);
    const next = body.links?.find((/** @type {import('../types').Link} */ link) => link.rel === 'next')?.href;
    if (!next) break;
    const { pathname, search } = new URL(next, location.origin);
    path = pathname + search;
  }
  return features;
}

/**
 * Whether one of some cells contains a place.
 * @param {number[]} cells @param {import('../types').Position} position
 */
export function isInCells(cells, [longitude, latitude]) {
  return cells.some((cell) => {
    const [west, south, east, north] = boxOfCell(cell);
    return longitude >= west && longitude <= east && latitude >= south && latitude <= north;
  });
}

/** @template Item @param {Item[]} items @returns {Item[]} */
function shuffled(items) {
  return items.map((one) => /** @type {const} */ ([Math.random(), one])).sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}
