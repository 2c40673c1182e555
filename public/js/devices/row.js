// @ts-check
// Row of a device in a list.

import { fill, h } from '../dom.js';
import { formatDistance, formatList, wind } from '../format.js';
import { bearingTo, distance } from '../geography.js';
import { language, translate } from '../i18n.js';
import { knownPlace } from '../places/nearest.js';
import { categoryIcon, familyOf, label } from '../taxonomies.js';
import { ageWords } from './age.js';
import { displayName, isMade, placeWords } from './name.js';
import { marker, statusBadge } from './terms.js';

/** @typedef {import('./device.js').Device} Device */
/** @typedef {import('../geography.js').Position} Position */
/** @typedef {import('../map/named-streets.js').StreetOf} StreetOf */
/**
 * @typedef {object} RowContext
 * @property {Position | null} here the position from which distances are measured; null: no distances
 * @property {string | null} chosen
 * @property {(device: Device) => void} choose
 * @property {StreetOf | null} [streetOf] the streets, as far as the map has loaded them
 */

/** @param {Device} device @param {RowContext} context */
export function deviceRow(device, { here, chosen, choose, streetOf = null }) {
  const words = h('span', { class: 'row-words' });
  fillRow(words, device, here, streetOf);
  return h('li', {}, h('button', {
    type: 'button', class: 'device-row', 'data-id': device.id,
    'aria-current': device.id === chosen ? 'true' : null, onclick: () => choose(device),
  }, marker(categoryIcon(device.category), device.status, familyOf(device.category)), words, rowPhoto(device)));
}

/**
 * The first photo of a device; the name next to it describes it.
 * @param {Device} device
 */
function rowPhoto({ properties }) {
  const photo = Array.isArray(properties.photos) ? properties.photos[0] : null;
  return typeof photo?.thumb === 'string'
    && h('img', { class: 'row-photo', src: photo.thumb, alt: '', width: 56, height: 56, loading: 'lazy' });
}

/**
 * Writes the words of a row, with the nearest place and the street if they are known.
 * @param {Element} words @param {Device} device @param {Position | null} here @param {StreetOf | null} [streetOf]
 */
export function fillRow(words, device, here, streetOf = null) {
  const place = knownPlace(device.position) ?? null;
  const kind = [isMade(device) ? '' : label('categories', device.category), device.operator.name]
    .filter(Boolean).join(' · ');
  const facts = [
    streetWords(device, streetOf),
    placeWords(device, place, here === null),
    here && awayWords(here, device.position),
    facesWords(device),
    ageWords(device, new Date()),
    device.precision && device.precision !== 'exact' && label('precisions', device.precision),
  ];
  fill(words,
    h('span', { class: 'row-name' }, displayName(device)),
    kind && h('span', { class: 'row-kind' }, kind),
    h('span', { class: 'row-facts' },
      // Most devices are only reported, and the shape of the symbol shows it: the word would be noise.
      device.status === 'reported' ? h('span', { class: 'visually-hidden' }, label('statuses', 'reported'))
        : statusBadge(device.status),
      ...facts.map((fact) => fact && h('span', { class: 'row-fact' }, fact))));
}

/**
 * «Main Street, north side»; empty for a coarse position, or where the map knows no street.
 * @param {Device} device @param {StreetOf | null} streetOf
 */
export function streetWords({ precision, position }, streetOf) {
  const street = !precision || precision === 'exact' ? streetOf?.(position) : null;
  if (!street) return '';
  return street.side
    ? translate('row.street_side', { street: street.name, wind: translate(`wind.${street.side}`) }) : street.name;
}

/**
 * «Faces north-west», which distinguishes cameras of one name; empty if it looks all around or in an unknown direction.
 * @param {Device} device
 */
export function facesWords({ bearings }) {
  const winds = [...new Set(bearings.map((bearing) => translate(`wind.${wind(bearing)}`)))];
  const isOneWay = winds.length > 0 && winds.length <= FACES;
  return isOneWay ? translate('row.faces', { wind: formatList(winds, language()) }) : '';
}

const FACES = 2; // directions; a camera with more looks all around
const SAME_SPOT = 25; // metres: nearer, a direction says nothing

/**
 * «225 m north-west».
 * @param {Position} here @param {Position} there
 */
export function awayWords(here, there) {
  const metres = distance(here, there);
  const words = formatDistance(metres, language());
  return metres < SAME_SPOT ? words
    : translate('list.away', { distance: words, wind: translate(`wind.${wind(bearingTo(here, there))}`) });
}

/**
 * Placeholder rows during loading.
 * @param {number} count
 */
export function skeletonRows(count) {
  return Array.from({ length: count }, () => h('li', { class: 'skeleton-row', 'aria-hidden': 'true' },
    h('span', { class: 'skeleton skeleton-marker' }),
    h('span', { class: 'row-words' },
      h('span', { class: 'skeleton skeleton-line' }), h('span', { class: 'skeleton skeleton-line short' }))));
}
