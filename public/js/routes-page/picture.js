// @ts-check
// «How watched is my way?»: the counts as a picture to share. It shows neither the way nor its ends.

import { countPassed } from '../exposure/count.js';
import { categoryWords } from '../exposure/figures.js';
import { formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';

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

/** @param {readonly Passed[]} passed @returns {Promise<Blob | null>} a PNG */
export function picture(passed) {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext('2d');
  if (!pen) return Promise.resolve(null);
  pen.fillStyle = '#0b2545';
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = '#ffc857';
  pen.fillRect(0, 0, 24, HEIGHT);
  /** @type {(text: string, y: number, size: number, colour?: string) => void} */
  const words = (text, y, size, colour = '#ffffff') => {
    pen.fillStyle = colour;
    pen.font = `${size}px "Farol Sans Bold", "Farol Sans", sans-serif`;
    pen.fillText(text, 80, y, WIDTH - 140);
  };
  words(translate('routes.watched.title'), 100, 44, '#ffc857');
  const { devices } = countPassed(passed);
  words(`${formatNumber(devices, language())}`, 250, 140);
  words(plural('routes.watched.devices', devices), 310, 40);
  pictureLines(passed).forEach((line, place) => words(line, 380 + place * 42, 32, '#e9f0f6'));
  words(instanceName(), HEIGHT - 28, 26, '#a9bac9');
  return new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); });
}
