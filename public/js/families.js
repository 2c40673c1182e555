// @ts-check
// The six families of categories, which share a colour on the map and in lists. A category belongs to the family of the
// data that it collects, so that a category added by an instance has a colour as well. Pure.

/** @typedef {'camera' | 'plate' | 'sound' | 'radio' | 'sensor' | 'other'} Family */

/** In the order of the legend. */
export const FAMILIES = Object.freeze(/** @type {Family[]} */ (
  ['camera', 'plate', 'sound', 'radio', 'sensor', 'other']));

/**
 * The kinds of data of each family. The first family with a match applies: a doorbell with a camera and a microphone
 * is a camera.
 * @type {[Family, string[]][]}
 */
const DATA = [
  ['plate', ['plate']],
  ['camera', ['video', 'still_image', 'biometric_template']],
  ['other', ['health_body']],
  ['sound', ['speech', 'sound_level']],
  ['radio', ['radio_id', 'position_track']],
  ['sensor', ['presence_count', 'ambient', 'energy_use', 'account_id']],
];

/**
 * The family of devices that collect these kinds of data.
 * @param {string[]} collects @returns {Family}
 */
export function familyOfData(collects) {
  return DATA.find(([, codes]) => codes.some((code) => collects.includes(code)))?.[0] ?? 'other';
}
