// @ts-check
// «How watched is my way?»: the counts as a picture to share. It shows neither the way nor its ends.

import { countPassed } from '../exposure/count.js';
import { categoryWords } from '../exposure/figures.js';
import { formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { COLOURS, SharedPicture } from '../sharing/picture.js';

/** @typedef {import('../exposure/count.js').Passed} Passed */

const WIDTH = 1_200; // pixels, as link previews have
const HEIGHT = 630;
const LINES = 4;

/**
 * «14 cameras», «3 plate readers», «9 without a known operator».
 * @param {readonly Passed[]} passed @returns {string[]}
 */
export function pictureLines(passed) {
  const count = countPassed(passed);
  const more = count.categories.slice(LINES).reduce((sum, one) => sum + one.count, 0);
  return [
    ...categoryWords(count, LINES), ...(more ? [plural('diary.sentence.more', more)] : []),
    ...(count.unnamed ? [plural('exposure.unnamed', count.unnamed)] : []),
  ];
}

/** @param {readonly Passed[]} passed @returns {Promise<Blob>} a PNG */
export function picture(passed) {
  const made = new SharedPicture(WIDTH, HEIGHT);
  made.fill(0, 0, 24, HEIGHT, COLOURS.beam);
  const { devices } = countPassed(passed);
  made.write(translate('routes.watched.title'), 100, 44, COLOURS.beam, true);
  made.write(formatNumber(devices, language()), 250, 140, COLOURS.ink, true);
  made.write(plural('routes.watched.devices', devices), 310, 40, COLOURS.ink, true);
  pictureLines(passed).forEach((line, place) => made.write(line, 380 + place * 42, 32));
  made.write(instanceName(), HEIGHT - 28, 26, COLOURS.soft);
  return made.file();
}
