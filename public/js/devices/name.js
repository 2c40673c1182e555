// @ts-check
// The displayed name of a device. A name that only repeats the category, as many lists have, is shown in the reader's
// language with the nearest place: «Fixed camera near Lindenhof».

import { formatDistance } from '../format.js';
import { language, translate } from '../i18n.js';
import { findPlacesSoon, knownPlace } from '../places/nearest.js';
import { placeContext } from '../places/place.js';
import { label, term } from '../taxonomies.js';
import { folded } from '../words.js';

/** @typedef {import('./device.js').Device} Device */
/** @typedef {import('../types').NearPlace} NearPlace */

/**
 * The parts of a name that repeats the category: «Axis camera 12, Market Street».
 * @typedef {object} MadeName
 * @property {string | null} maker
 * @property {string | null} rest
 * @property {string} [phrase] key of the words of an import, which are more precise than the category
 * @property {string} [reference] such as «12»
 */

const NEAR = 10_000; // metres: farther away a device is not «near» a town

/**
 * Words with which the mappings of imports (seed/mappings) begin names, by category, with the keys of their
 * translations.
 * @type {Record<string, Record<string, string>>}
 */
const PHRASES = {
  parking_mobility: {
    'bicycle counter': 'name.made.bicycle_counter', 'traffic counter in a window': 'name.made.window_counter',
  },
  wifi_hotspot: { 'linknyc kiosk': 'name.made.linknyc_kiosk' },
};
/**
 * Words with which mappings end names, after the name of a network.
 * @type {Record<string, [RegExp, string]>}
 */
const ENDINGS = { wifi_hotspot: [/^(.+) Wi-Fi$/, 'name.made.wifi'] };
const REFERENCE = /^(.+) ([\p{L}\p{N}./-]*\p{N}[\p{L}\p{N}./-]*)$/u;

/**
 * The parts of a name that repeats the category; null for any other name. Imports write English, so a name with a
 * reference or a network is only translated: in English, a person may have chosen it.
 * @param {Device} device @param {string[]} words names of the category, in any language
 * @param {boolean} [isTranslated] whether the reader’s language is not English
 * @returns {MadeName | null}
 */
export function madeName(device, words, isTranslated = language() !== 'en') {
  const [head, ...tail] = device.name.split(', ');
  const rest = tail.join(', ');
  const parts = partsOf(head, device, words) ?? (isTranslated ? translatedParts(head, device, words) : null);
  return parts && { ...parts, rest: rest && rest !== device.operator.name ? rest : null };
}

/**
 * «Camera», «Axis camera» and «Bicycle counter».
 * @param {string} head @param {Device} device @param {string[]} words
 * @returns {Omit<MadeName, 'rest'> | null}
 */
function partsOf(head, device, words) {
  const name = folded(head);
  const phrase = PHRASES[device.category]?.[name];
  if (phrase) return { maker: null, phrase };
  const given = device.properties.manufacturer;
  const maker = typeof given === 'string' && given.trim() ? given.trim() : null;
  for (const word of words) {
    if (name === folded(word)) return { maker: null };
    if (maker && name === folded(`${maker} ${word}`)) return { maker };
  }
  return null;
}

/**
 * «Measuring station 12» and «GuestWiFi Wi-Fi».
 * @param {string} head @param {Device} device @param {string[]} words
 * @returns {Omit<MadeName, 'rest'> | null}
 */
function translatedParts(head, device, words) {
  const [, whole = '', reference = ''] = REFERENCE.exec(head) ?? [];
  const parts = whole && partsOf(whole, device, words);
  if (parts) return { ...parts, reference };
  const [pattern, phrase] = ENDINGS[device.category] ?? [];
  const [, network = ''] = pattern?.exec(head) ?? [];
  return network && phrase ? { maker: network, phrase } : null;
}

/**
 * The names of a category that a list may use for its devices: common nouns, in any language. «Alexa» and «CCTV» have
 * no word in lower case: a device called so keeps its name.
 * @param {string} category
 */
function commonNames(category) {
  const found = term('categories', category);
  return [found?.label ?? '', ...(found?.words ?? []).filter((word) => /(^|[\s-])\p{Ll}/u.test(word))];
}

/**
 * Whether the name of a device only repeats its category.
 * @param {Device} device
 */
export function isMade(device) {
  return madeName(device, commonNames(device.category)) !== null;
}

/**
 * The name to display.
 * @param {Device} device @param {NearPlace | null} [place] the town nearest to the device
 */
export function shownName(device, place) {
  const made = madeName(device, commonNames(device.category));
  if (!made) return device.name;
  const kind = made.phrase ? translate(made.phrase) : label('categories', device.category);
  const base = [kindWords(kind, made.maker), made.reference].filter(Boolean).join(' ');
  if (made.rest) return `${base}, ${made.rest}`;
  return isNear(place) ? translate('name.near', { name: base, place: place?.name ?? '' }) : base;
}

/**
 * Asks for the town that the name of a device needs. Resolves after a short time at the latest.
 * @param {Device} device
 */
export async function prepareName(device) {
  if (isMade(device)) await findPlacesSoon([device.position]);
}

/**
 * The name to display, with the nearest town if it is known.
 * @param {Device} device
 */
export function displayName(device) {
  return shownName(device, knownPlace(device.position) ?? null);
}

/**
 * Where a device is, beyond its name: its town, and region and country where the view shows several.
 * @param {Device} device @param {NearPlace | null | undefined} place @param {boolean} isWide
 */
export function placeWords(device, place, isWide) {
  if (!place) return '';
  const isNamed = shownName(device, place) !== shownName(device, null);
  return [isNamed ? '' : townWords(place), isWide ? placeContext(place) : ''].filter(Boolean).join(', ');
}

/**
 * The town of a device with its region and country, also where the name has the town; empty if no town is known.
 * @param {NearPlace | null | undefined} place
 */
export function townOf(place) {
  return place ? [townWords(place), placeContext(place)].filter(Boolean).join(', ') : '';
}

/** @param {NearPlace} place */
function townWords(place) {
  return isNear(place) ? place.name
    : translate('place.away', { distance: formatDistance(place.distance, language()), place: place.name });
}

/** @param {NearPlace | null | undefined} place */
function isNear(place) {
  return Boolean(place) && Number(place?.distance) <= NEAR;
}

/**
 * «Axis number-plate reader»; in Portuguese, the maker comes last.
 * @param {string} kind @param {string | null} maker
 */
function kindWords(kind, maker) {
  if (!maker) return kind;
  const inside = kind.charAt(0).toLowerCase() + kind.slice(1);
  const whole = translate('name.by_maker', { maker, kind: inside });
  return whole.startsWith(inside) ? kind + whole.slice(inside.length) : whole;
}
