// @ts-check
// The view that the map opens with if the address has none: the place that the address names; the devices of its
// filter; the last view of this browser; on a first visit the view that the operator chose; otherwise the devices of
// the reader’s country; where there are few, the continent of that country; where it has few, the continent with at
// least half of all devices, or all of them.

import { getJSON } from '../api.js';
import { boxOfView, boxText, lowered, viewOfBox, viewOfPlace } from '../geography.js';
import { nearbyCountries } from '../nearby-countries.js';
import { placeOf } from '../places.js';
import { filterCount, filterParameters } from '../state.js';
import { boxOfCells, fullestPart } from './box-of-cells.js';
import { CONTINENTS, devicesIn, fullest } from './continents.js';
import { lastView } from './last-view.js';

/** @typedef {import('../types').View} View */
/**
 * @typedef {{width: number, height: number, cover: number}} Room `cover`: pixels below the upper edge that a card
 *   covers
 */

/** The view of a server whose operator chose none (`InstanceSettings.View.world`). */
const WORLD = Object.freeze({ longitude: 0, latitude: 25, zoom: 1.4 });
const PATIENCE = 4_000; // milliseconds until the map opens with the view of the settings
const CLOSEST = 9; // zoom: a few devices of a country are shown with their surroundings
const ROUND = 24; // pixels around the devices
const FINE = 12; // zoom of the cells among which a close view is chosen: some kilometres
const SMALL = 12; // degrees: the devices in a box of this width are found among fine cells
const WIDE = 60; // degrees: in a box of this width, a continent with most of the devices is closer
const PART = 2; // a close view shows the cells of a square of 2 ** PART by 2 ** PART
/** A country with fewer devices is a bubble or two, often next to the sea: its continent says more. */
const FEW = 50;

/**
 * The view for an address without one.
 * @param {View} otherwise the view of the settings, if there are no devices or no response
 * @param {Room} room pixels of the map that the page leaves free
 * @param {import('../state.js').PageState} state of the address
 * @returns {Promise<View>}
 */
export async function openingView(otherwise, room, state) {
  const named = state.place && await inTime(around(state.place, room));
  if (named) return named;
  const matching = filterCount(state) > 0 && await inTime(filtered(filterParameters(state), room));
  if (matching) return matching;
  if (!isDefault(otherwise) && !lastView()) {
    // first-visit.js has already sent the request. A preloaded response that is not used is a warning of the browser.
    nearby(room).catch(() => undefined);
    return otherwise;
  }
  return lastView() ?? await inTime(nearby(room)) ?? otherwise;
}

/**
 * Null if there is no view in time.
 * @param {Promise<View | null>} view @returns {Promise<View | null>}
 */
function inTime(view) {
  const patience = new Promise((resolve) => { setTimeout(() => resolve(null), PATIENCE); });
  return Promise.race([view, patience]).catch(() => null);
}

/** @param {string} id @param {Room} room @returns {Promise<View | null>} */
async function around(id, { width, height }) {
  const place = await placeOf(id);
  return place && viewOfPlace(place, Math.max(1, width - 2 * ROUND), Math.max(1, height - 2 * ROUND));
}

/**
 * The last view if it shows devices of a filter, otherwise the devices that the filter selects. Null without devices.
 * @param {URLSearchParams} filter @param {Room} room @returns {Promise<View | null>}
 */
async function filtered(filter, { width, height, cover }) {
  const last = lastView();
  const seen = last && devicesOf(filter, { bbox: boxText(boxOfView(last, width, height)) });
  const { grid } = await devicesOf(filter, { grid: '7' });
  if (last && (await seen)?.total) return last;
  const all = boxOfCells(grid);
  if (!all) return null;
  const span = (all[2] - all[0] + 360) % 360;
  const box = span > WIDE ? fullest(grid) ?? all : all;
  const part = span < SMALL && boxOfCells((await devicesOf(filter, { bbox: boxText(box), grid: String(FINE) })).grid);
  return lowered(viewOfBox(
    part || box, Math.max(1, width - 2 * ROUND), Math.max(1, height - cover - 2 * ROUND), FINE), cover / 2);
}

/**
 * The statistics of the devices of a filter.
 * @param {URLSearchParams} filter @param {Record<string, string>} more
 */
function devicesOf(filter, more) {
  return getJSON(`/api/statistics?${new URLSearchParams([...filter, ...Object.entries(more)])}`);
}

/** @param {View} view */
function isDefault({ longitude, latitude, zoom }) {
  return longitude === WORLD.longitude && latitude === WORLD.latitude && zoom === WORLD.zoom;
}

/**
 * A view from which a list of the surroundings makes sense: the last view, or the view of the operator, if it is close;
 * otherwise the part of it, or of the reader’s country, with the most devices. Null without devices.
 * @param {View} otherwise the view of the settings
 * @param {{width: number, height: number}} room pixels of the map
 * @returns {Promise<View | null>}
 */
export async function closeView(otherwise, room) {
  const wide = lastView() ?? (isDefault(otherwise) ? null : otherwise);
  if (wide && wide.zoom >= CLOSEST) return wide;
  return inTime(fullestView(wide
    ? Promise.resolve([`/api/statistics?bbox=${boxText(boxOfView(wide, room.width, room.height))}&grid=7`])
    : countryPaths(), room));
}

/** @param {Promise<string[]>} paths of statistics @param {{width: number, height: number}} room */
async function fullestView(paths, room) {
  for (const path of await paths) {
    const box = boxOfCells(fullestPart((await getJSON(path)).grid, 0));
    if (!box) continue;
    const within = new URL(path, location.origin);
    within.searchParams.set('bbox', boxText(box));
    within.searchParams.set('grid', String(FINE));
    const part = boxOfCells(fullestPart((await getJSON(within.pathname + within.search)).grid, PART));
    return viewOfBox(part ?? box, room.width / 2, room.height / 2, FINE);
  }
  return null;
}

/** The statistics of the countries of the reader, the most probable first. */
async function countryPaths() {
  return (await nearbyCountries()).map(({ code }) => `/api/statistics?country=${code}&grid=7`);
}

/** @param {Room} room @returns {Promise<View | null>} */
async function nearby({ width, height, cover }) {
  const box = await boxNearby();
  return box && lowered(
    viewOfBox(box, Math.max(1, width - 2 * ROUND), Math.max(1, height - cover - 2 * ROUND), CLOSEST), cover / 2);
}

/** @returns {Promise<import('../geography.js').Box | null>} */
async function boxNearby() {
  /** @type {import('./heat.js').Grid | null} */
  let world = null;
  for (const { code, continent } of await nearbyCountries()) {
    const { grid } = await getJSON(`/api/statistics?country=${code}&grid=7`);
    if (devicesIn(grid) >= FEW) return boxOfCells(grid);
    world ??= (await getJSON('/api/statistics?grid=7')).grid;
    const frame = CONTINENTS[continent ?? ''];
    if (world && frame && devicesIn(world, frame) >= FEW) return frame;
  }
  world ??= (await getJSON('/api/statistics?grid=7')).grid;
  return world && (fullest(world) ?? boxOfCells(world));
}
