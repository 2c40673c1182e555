// @ts-check
// The request for the list of a view.

import { boxText, contains, isLocal, middleOf } from '../geography.js';
import { language } from '../i18n.js';
import { storedPlace } from '../known-places.js';
import { filterParameters } from '../state.js';

/** @typedef {import('../geography.js').Box} Box */
/** @typedef {import('../geography.js').Position} Position */
/** @typedef {import('../state.js').PageState} PageState */

export const ITEMS = '/api/collections/devices/items';
/** Properties that rows show in addition to the properties of every list. */
export const MORE = 'manufacturer,observed_on,bearings,source,photos';
const PAGE = 20;

/**
 * The position from which a list measures and sorts: the user's, otherwise the middle of the view. Null if the view is
 * too large for distances.
 * @param {PageState} state @param {Box} box @param {Position | null} here the position of the user
 * @returns {Position | null}
 */
export function originOf(state, box, here) {
  if (here) return here;
  const shown = state.spot ? /** @type {Box} */ (state.spot.split(',').map(Number)) : box;
  return isLocal(shown) ? middleOf(shown) : null;
}

/**
 * The place whose devices a list shows: the one that the user searched for, while all of it is in view. Then the list,
 * its count and the statistics describe the place and not the screen.
 * @param {PageState} state @param {Box} box bounding box of the map view
 */
export function listedPlace(state, box) {
  const place = state.place && !state.spot ? storedPlace(state.place) : undefined;
  return place?.bbox?.length === 4 && contains(box, /** @type {Box} */ (place.bbox)) ? place : null;
}

/**
 * The area of a list as parameters: a place, several devices at one place, or the view.
 * @param {PageState} state @param {Box} box bounding box of the map view
 * @returns {{place: string} | {bbox: string}}
 */
export function areaOf(state, box) {
  return listedPlace(state, box) ? { place: state.place ?? '' } : { bbox: state.spot ?? boxText(box) };
}

/** @param {URLSearchParams} parameters @param {PageState} state @param {Box} box */
function setArea(parameters, state, box) {
  for (const [name, value] of Object.entries(areaOf(state, box))) parameters.set(name, value);
}

/**
 * Asks for the kinds of all devices and the places of the rows along with the devices.
 * @param {URLSearchParams} parameters
 */
export function addSupplements(parameters) {
  parameters.set('with', 'kinds,places');
  parameters.set('lang', language());
}

/**
 * URL of the request for a list.
 * @param {PageState} state
 * @param {Box} box bounding box of the map view
 * @param {Position | null} [here] position of the user
 */
export function listPath(state, box, here = null) {
  const parameters = filterParameters(state);
  setArea(parameters, state, box);
  parameters.set('limit', String(PAGE));
  parameters.set('properties', MORE);
  addSupplements(parameters);
  const origin = originOf(state, box, here);
  if (origin) {
    parameters.set('near', origin.map((edge) => edge.toFixed(5)).join(','));
    parameters.set('sortby', 'distance');
  }
  return `${ITEMS}?${parameters}`;
}

/**
 * URL of the request for the number of devices of each kind in a view, with one device.
 * @param {PageState} state @param {Box} box bounding box of the map view
 */
export function kindsPath(state, box) {
  const parameters = filterParameters(state);
  setArea(parameters, state, box);
  parameters.set('limit', '1');
  parameters.set('with', 'kinds');
  return `${ITEMS}?${parameters}`;
}
