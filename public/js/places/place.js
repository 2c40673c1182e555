// @ts-check
// The names of places. Places of the same name get different labels.

import { has, translate } from '../i18n.js';

/** @typedef {import('../types').Place} Place */

const ADDRESSES = ['street', 'address', 'postcode'];

/**
 * Whether a result of the place search is a street, an address or a postcode.
 * @param {Place} place
 */
export function isAddress({ kind }) {
  return ADDRESSES.includes(kind ?? '');
}

/**
 * The name of a place: «Zürich, city» and «Zürich, canton» where a city and its region share a name.
 * @param {Place} place
 */
export function placeLabel(place) {
  const isShared = place.kind === 'region' || (place.kind === 'city' && place.name === place.region);
  return isShared ? translate('place.kind', { place: place.name, kind: placeKind(place) }) : place.name;
}

/**
 * The name of the area of a place: «Vaduz», or «Area around Zürich» where no border is known.
 * @param {Place} place @param {string} [name]
 */
export function areaWords(place, name = placeLabel(place)) {
  return place.bordered ? name : translate('place.around', { place: place.name });
}

/** @param {Place} place */
function placeKind(place) {
  if (place.kind === 'city') return translate('place.kind.city');
  // Countries call their regions by different names.
  const own = `place.kind.region.${place.country}`;
  return translate(has(own) ? own : 'place.kind.region');
}

/**
 * Region and country of a place, such as «Madeira, Portugal»; postcode and town of an address.
 * @param {Place} place
 */
export function placeContext(place) {
  return [place.locality, place.region, place.country_name ?? place.country]
    .filter((part) => part && part !== place.name).join(', ');
}
