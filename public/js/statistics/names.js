// @ts-check
// The names of groups, properties and areas.

import { getJSON } from '../api.js';
import { NAMED, schemeOf } from '../filters/facets.js';
import { formatCountry } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { areaWords, placeContext } from '../places/place.js';
import { label, scheme } from '../taxonomies.js';

/** @typedef {import('../search/suggestions.js').Place} Place */
/** @typedef {import('./question.js').Question} Question */

/**
 * Loads the labels of the codes of a property.
 * @param {string} property @returns {Promise<void>}
 */
export async function wordsOf(property) {
  if (!NAMED.includes(property) && property !== 'source') await scheme(schemeOf(property)).catch(() => null);
}

/**
 * The name of a property.
 * @param {string} property
 */
export function propertyName(property) { return translate(`statistics.by.${property}`); }

/** @param {string} property @param {{key: string | null, others?: number}} head */
export function groupName(property, { key, others }) {
  if (others) return plural('statistics.others', others);
  if (key === null) return translate(unknownKey(property));
  if (property === 'country') return formatCountry(key, language());
  return property === 'operator' || property === 'source' ? key : label(schemeOf(property), key);
}

/**
 * The text for unknown values, which differs between properties.
 * @param {string} property
 */
function unknownKey(property) {
  return ['source', 'country'].includes(property) ? `statistics.unknown.${property}` : 'statistics.unknown';
}

/** @type {Map<string, Promise<Place | null>>} */
const places = new Map();

/**
 * A place by its id; null if it does not exist.
 * @param {string} id @returns {Promise<Place | null>}
 */
export function placeOf(id) {
  const known = places.get(id);
  if (known) return known;
  const asked = getJSON(`/api/places?id=${encodeURIComponent(id)}`).then(({ places: [place] }) => place ?? null,
    (error) => {
      places.delete(id);
      if (error?.status === 400) return null;
      throw error;
    });
  places.set(id, asked);
  return asked;
}

/**
 * Caches a place that the user selected.
 * @param {Place} place
 */
export function rememberPlace(place) { places.set(String(place.id), Promise.resolve(place)); }

/**
 * Such as «Funchal, Madeira, Portugal».
 * @param {Place} place
 */
function placeName(place) {
  return [areaWords(place), placeContext(place)].filter(Boolean).join(', ');
}

/** @param {string} id «place:2267057» or «country:PT» @returns {Promise<string>} */
export async function areaName(id) {
  const [kind, code] = id.split(':');
  if (kind === 'country') return formatCountry(code, language());
  const place = await placeOf(code).catch(() => null);
  return place ? areaWords(place, place.name) : translate('statistics.area.unknown');
}

/**
 * The area of a question in words.
 * @param {Question} question @returns {Promise<string>}
 */
export async function whereName({ box, place, filters }) {
  const found = place ? await placeOf(place).catch(() => null) : null;
  const parts = [
    place && (found ? placeName(found) : translate('statistics.area.unknown')),
    box && translate('statistics.area.map'),
    ...(filters.country ?? []).map((code) => formatCountry(code, language())),
  ].filter(Boolean);
  return parts.length ? parts.join(' · ') : translate('statistics.area.all');
}
