// @ts-check
// The picture of a walk, to share: the checked devices as points, without the way between them and without times.

import { METRES_PER_DEGREE, wrapLongitude } from '../geography.js';
import { COLOURS, SharedPicture } from '../sharing/picture.js';

/** @typedef {import('../claims/claims.js').Verdict} Verdict */
/** @typedef {import('../types').Position} Position */
/** @typedef {{position: Position, verdict: Verdict}} Checked */
/**
 * @typedef {object} PictureWords
 * @property {string} title «I checked 12 devices»
 * @property {string} place name of the town, or empty
 * @property {string} there legend
 * @property {string} gone legend
 * @property {string} foot name and address of the site
 */

export const SIZE = 1_080; // pixels
const FIELD = Object.freeze({ left: 120, top: 290, width: 840, height: 560 });
const RADIUS = 22; // pixels of a mark
const LEAST = 80; // metres across: a single device is in the middle

/**
 * Places points in the field of the picture, north up, in the order of their places: it does not show in which order
 * the person came to them. Pure.
 * @param {readonly Checked[]} checked
 * @returns {{x: number, y: number, verdict: Verdict}[]}
 */
export function placed(checked) {
  if (!checked.length) return [];
  const [east] = checked[0].position;
  const latitudes = checked.map(({ position }) => position[1]);
  const shrink = Math.cos(((Math.min(...latitudes) + Math.max(...latitudes)) / 2) * (Math.PI / 180));
  const points = checked.map(({ position: [longitude, latitude], verdict }) => ({
    x: wrapLongitude(longitude - east) * shrink * METRES_PER_DEGREE, y: -latitude * METRES_PER_DEGREE, verdict,
  }));
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const middle = (/** @type {number[]} */ all) => (Math.min(...all) + Math.max(...all)) / 2;
  const span = (/** @type {number[]} */ all) => Math.max(LEAST, Math.max(...all) - Math.min(...all));
  const scale = Math.min(FIELD.width / span(xs), FIELD.height / span(ys));
  return points
    .map(({ x, y, verdict }) => ({
      x: Math.round(FIELD.left + FIELD.width / 2 + (x - middle(xs)) * scale),
      y: Math.round(FIELD.top + FIELD.height / 2 + (y - middle(ys)) * scale), verdict,
    }))
    .sort((a, b) => a.x - b.x || a.y - b.y);
}

/**
 * @param {readonly Checked[]} checked @param {PictureWords} words
 * @returns {Promise<Blob>} PNG
 */
export async function drawPicture(checked, words) {
  const picture = new SharedPicture(SIZE, SIZE);
  const { pen } = picture;
  picture.write(words.title, 140, 68, COLOURS.ink, true);
  if (words.place) picture.write(words.place, 204, 40, COLOURS.soft);
  pen.fillStyle = COLOURS.field;
  roundedBox(pen, 60, 240, SIZE - 120, 660, 36);
  for (const { x, y, verdict } of placed(checked)) mark(pen, x, y, verdict);
  mark(pen, 102, 944, 'confirm');
  pen.textBaseline = 'middle';
  picture.letters(34);
  pen.fillStyle = COLOURS.ink;
  pen.fillText(words.there, 140, 944);
  const right = 140 + pen.measureText(words.there).width + 70;
  mark(pen, right, 944, 'dispute');
  pen.fillStyle = COLOURS.ink;
  pen.fillText(words.gone, right + 40, 944);
  pen.textBaseline = 'alphabetic';
  picture.write(words.foot, 1_030, 30, COLOURS.soft);
  return picture.file();
}

/**
 * @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y
 * @param {number} width @param {number} height @param {number} round
 */
function roundedBox(pen, x, y, width, height, round) {
  pen.beginPath();
  pen.moveTo(x + round, y);
  pen.arcTo(x + width, y, x + width, y + height, round);
  pen.arcTo(x + width, y + height, x, y + height, round);
  pen.arcTo(x, y + height, x, y, round);
  pen.arcTo(x, y, x + width, y, round);
  pen.fill();
}

/**
 * A disc for a device that is there, a cross for one that is gone.
 * @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {Verdict} verdict
 */
function mark(pen, x, y, verdict) {
  pen.beginPath();
  if (verdict === 'confirm') {
    pen.fillStyle = COLOURS.beam;
    pen.arc(x, y, RADIUS, 0, 2 * Math.PI);
    pen.fill();
    return;
  }
  pen.strokeStyle = COLOURS.gone;
  pen.lineWidth = 12;
  pen.lineCap = 'round';
  for (const way of [-1, 1]) {
    pen.moveTo(x - RADIUS + 4, y - (RADIUS - 4) * way);
    pen.lineTo(x + RADIUS - 4, y + (RADIUS - 4) * way);
  }
  pen.stroke();
}
