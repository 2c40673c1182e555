// @ts-check
// The six families of categories, which share a colour on the map and in lists. A category belongs to the family of the
// data that it collects, so that a category added by an instance has a colour as well. Pure.

/** @typedef {'camera' | 'plate' | 'sound' | 'radio' | 'sensor' | 'other'} Family */

/** In the order of the legend. */
export const FAMILIES = Object.freeze(/** @type {Family[]} */ (
  ['camera', 'plate', 'sound', 'radio', 'sensor', 'other']));

/**
 * The kinds of data of each family. The first kind of data of a category is its main one: a doorbell with a camera and
 * a microphone is a camera, and so is a speed camera, which reads a plate only after it has taken a picture.
 * @type {Record<string, Family>}
 */
const DATA = {
  plate: 'plate', video: 'camera', still_image: 'camera', biometric_template: 'camera', health_body: 'other',
  speech: 'sound', sound_level: 'sound', radio_id: 'radio', position_track: 'radio', presence_count: 'sensor',
  ambient: 'sensor', energy_use: 'sensor', account_id: 'sensor',
};

/**
 * The family of devices that collect these kinds of data.
 * @param {string[]} collects @returns {Family}
 */
export function familyOfData(collects) {
  const main = collects.find((code) => Object.hasOwn(DATA, code));
  return main === undefined ? 'other' : DATA[main];
}
