// @ts-check
// The kinds of data that routes avoid and the diary counts, and how much each one weighs. Pure. The reasons and the
// sources are in docs/explanation/exposure.md.

/** @typedef {'video' | 'faces' | 'plates' | 'radio' | 'sound' | 'counts'} Kind */
/** @typedef {'walking' | 'wheelchair' | 'cycling' | 'driving'} Mode */

/** In the order of the pages. */
export const KINDS = Object.freeze(/** @type {Kind[]} */ (['video', 'faces', 'plates', 'radio', 'sound', 'counts']));

/**
 * The codes of the scheme `data` that belong to each kind. Data that a person only gives by using a device, such as
 * `usage` or `account_id`, belong to no kind: a person who only passes does not give them.
 * @type {Readonly<Record<Kind, readonly string[]>>}
 */
const CODES = Object.freeze({
  video: ['visual', 'still_image', 'video'],
  faces: ['biometric', 'biometric_template'],
  plates: ['plate', 'identification'],
  radio: ['radio_id', 'device_network', 'location', 'position_track'],
  sound: ['audio', 'speech'],
  counts: ['presence', 'presence_count'],
});

/**
 * How much a metre under each kind counts, compared with a metre under an ordinary camera. A template of a face or a
 * number plate identifies a person automatically; a count does not.
 * @type {Readonly<Record<Kind, number>>}
 */
export const WEIGHTS = Object.freeze({ video: 1, faces: 3, plates: 2, radio: 1, sound: 1.5, counts: 0.2 });

/**
 * The kinds that a list of codes contains, in the order of the pages.
 * @param {readonly string[]} codes of the scheme `data`
 * @returns {Kind[]}
 */
export function kindsOfData(codes) {
  return KINDS.filter((kind) => CODES[kind].some((code) => codes.includes(code)));
}

/**
 * The kinds that someone who travels in a mode gives at all: a plate reader reads nothing from a person on foot.
 * @param {Mode} mode @returns {Kind[]}
 */
export function kindsOfMode(mode) {
  return KINDS.filter((kind) => kind !== 'plates' || mode === 'driving');
}

/**
 * The weight of a device for someone who avoids some kinds: the heaviest of those that it collects, because one
 * picture of a car is not two because its plate is read as well.
 * @param {readonly Kind[]} collected @param {readonly Kind[]} avoided
 */
export function weightOf(collected, avoided) {
  return collected.reduce((most, kind) => (avoided.includes(kind) ? Math.max(most, WEIGHTS[kind]) : most), 0);
}
