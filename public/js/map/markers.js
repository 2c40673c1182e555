// @ts-check
// Draws the images that the layers name: «device/light/alpr/confirmed», «cluster/dark/webcam/7/1»,
// «wedge/light». Both colour and shape express the status, so that each of them is sufficient alone.

import { h } from '../dom.js';
import { categoryIcon } from '../taxonomies.js';
import { PALETTES } from './palette.js';

const RATIO = 2; // image pixels per CSS pixel
const DEVICE = 36;
const WEDGE = 96;
const CLUSTER = [42, 46, 52, 58];

/**
 * Symbols by category, in black. They are tinted when drawn.
 * @type {Map<string, HTMLImageElement>}
 */
const symbols = new Map();

/** @type {Map<string, Promise<void>>} */
const coming = new Map();

/**
 * The symbol in the style sheet, which the page uses as well.
 * @param {string} name
 * @returns {string | null} a data URL
 */
function drawing(name) {
  const mark = h('span', { hidden: true, 'data-icon': `category/${name}` });
  document.body.append(mark);
  const [, address = null] = /url\("?(data:[^")]+)"?\)/.exec(getComputedStyle(mark).getPropertyValue('--icon')) ?? [];
  mark.remove();
  return address;
}

/** @param {string} category */
async function load(category) {
  const address = drawing(categoryIcon(category)) ?? drawing('other');
  if (!address) return; // the marker shows only its shape
  const image = new Image();
  image.src = address;
  await image.decode().then(() => { symbols.set(category, image); }, () => undefined);
}

/**
 * Loads the symbol of a category once.
 * @param {string} category
 */
function symbol(category) {
  const known = coming.get(category) ?? load(category);
  coming.set(category, known);
  return known;
}

/**
 * Loads symbols, so that complete markers can be drawn as soon as a map requests them.
 * @param {Iterable<string>} categories
 */
export async function loadSymbols(categories) {
  await Promise.all([...categories].map(symbol));
}

/**
 * Provides images when a map requests them. A marker whose symbol is not loaded yet shows only its shape at first:
 * loading the symbols of all categories takes long on a slow phone, and a view needs few of them.
 * @param {any} map
 */
export function provideImages(map) {
  map.on('styleimagemissing', (/** @type {{id: string}} */ event) => {
    const { id } = event;
    const draw = painter(id);
    if (!draw || map.hasImage(id)) return;
    map.addImage(id, draw(), { pixelRatio: RATIO });
    const [kind, , category] = id.split('/');
    if (kind === 'wedge' || symbols.has(category)) return;
    symbol(category).then(() => {
      if (!symbols.has(category) || !map.hasImage(id)) return;
      map.updateImage(id, draw());
      map.triggerRepaint();
    });
  });
}

/**
 * The function that draws the image of a name; null for a name of another source.
 * @param {string} id @returns {(() => ImageData) | null}
 */
function painter(id) {
  const parts = id.split('/');
  const theme = parts[1] === 'dark' ? 'dark' : 'light';
  const size = { device: DEVICE, wedge: WEDGE, cluster: CLUSTER[Number(parts[4])] ?? CLUSTER[0] }[parts[0]];
  if (!size) return null;
  return () => {
    const pen = canvas(size);
    if (parts[0] === 'wedge') drawWedge(pen, theme);
    else if (parts[0] === 'device') drawDevice(pen, theme, parts[2], parts[3]);
    else drawCluster(pen, theme, parts[2], Number(parts[3]) / 12, size);
    return pen.getImageData(0, 0, size * RATIO, size * RATIO);
  };
}

/**
 * @param {number} size CSS pixels
 */
function canvas(size) {
  const element = document.createElement('canvas');
  element.width = Math.ceil(size * RATIO);
  element.height = Math.ceil(size * RATIO);
  const pen = /** @type {CanvasRenderingContext2D} */ (element.getContext('2d', { willReadFrequently: true }));
  pen.scale(RATIO, RATIO);
  return pen;
}

/**
 * Draws a symbol in a colour.
 * @param {CanvasRenderingContext2D} pen @param {string} category @param {string} colour
 * @param {number} x @param {number} y @param {number} size
 */
function drawSymbol(pen, category, colour, x, y, size) {
  const image = symbols.get(category);
  if (!image) return;
  const tint = canvas(size);
  tint.drawImage(image, 0, 0, size, size);
  tint.globalCompositeOperation = 'source-in';
  tint.fillStyle = colour;
  tint.fillRect(0, 0, size, size);
  pen.drawImage(tint.canvas, x, y, size, size);
}

/**
 * Confirmed: a filled circle. Reported: an open rounded square. Disputed: a diamond. Removed: a dashed square.
 * @param {CanvasRenderingContext2D} pen @param {'light' | 'dark'} theme @param {string} category @param {string} status
 */
function drawDevice(pen, theme, category, status) {
  const palette = PALETTES[theme];
  const middle = DEVICE / 2;
  const gone = status === 'removed' || status === 'not_a_device';
  const edge = gone ? palette.gone : status === 'disputed' ? palette.disputed : palette.sea;
  pen.beginPath();
  if (status === 'confirmed') pen.arc(middle, middle, 15, 0, 2 * Math.PI);
  else if (status === 'disputed') diamond(pen, middle, 17);
  else rounded(pen, middle - 13.5, middle - 13.5, 27, 27, 8);
  pen.shadowColor = 'rgba(4, 16, 32, 0.35)';
  pen.shadowBlur = 3 * RATIO;
  pen.shadowOffsetY = RATIO;
  pen.fillStyle = status === 'confirmed' ? palette.confirmed : palette.paper;
  pen.fill();
  pen.shadowColor = 'transparent';
  pen.strokeStyle = status === 'confirmed' ? palette.paper : edge;
  pen.lineWidth = 2;
  if (gone) pen.setLineDash([3, 2.5]);
  pen.stroke();
  const size = status === 'disputed' ? 15 : 18;
  drawSymbol(pen, category, status === 'confirmed' ? palette.paper : edge, middle - size / 2, middle - size / 2, size);
}

/** @param {CanvasRenderingContext2D} pen @param {number} middle @param {number} reach */
function diamond(pen, middle, reach) {
  pen.save();
  pen.translate(middle, middle);
  pen.rotate(Math.PI / 4);
  const side = reach * Math.SQRT1_2 * 2;
  rounded(pen, -side / 2, -side / 2, side, side, 4);
  pen.restore();
}

/**
 * @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y
 * @param {number} width @param {number} height @param {number} radius
 */
function rounded(pen, x, y, width, height, radius) {
  /** @type {any} */ (pen).roundRect(x, y, width, height, radius);
}

/**
 * A circle with the most frequent category above the count. The ring around it shows the share of that category.
 * @param {CanvasRenderingContext2D} pen @param {'light' | 'dark'} theme @param {string} category
 * @param {number} share 0 … 1 @param {number} size
 */
function drawCluster(pen, theme, category, share, size) {
  const palette = PALETTES[theme];
  const middle = size / 2;
  const radius = middle - 4;
  pen.beginPath();
  pen.arc(middle, middle, radius, 0, 2 * Math.PI);
  pen.shadowColor = 'rgba(4, 16, 32, 0.35)';
  pen.shadowBlur = 4 * RATIO;
  pen.shadowOffsetY = RATIO;
  pen.fillStyle = palette.paper;
  pen.fill();
  pen.shadowColor = 'transparent';
  pen.lineWidth = 4;
  pen.strokeStyle = theme === 'dark' ? '#3a536b' : '#c8d4df';
  pen.stroke();
  pen.beginPath();
  pen.arc(middle, middle, radius, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * Math.max(share, 1 / 12));
  pen.strokeStyle = palette.sea;
  pen.lineCap = share < 1 ? 'round' : 'butt';
  pen.stroke();
  const symbol = 13 + (size - 42) / 5;
  drawSymbol(pen, category, palette.sea, middle - symbol / 2, middle - symbol - 0.5, symbol);
}

/**
 * The field of view of a device: a fading wedge towards the north. The layer rotates it.
 * @param {CanvasRenderingContext2D} pen @param {'light' | 'dark'} theme
 */
function drawWedge(pen, theme) {
  const middle = WEDGE / 2;
  const fade = pen.createRadialGradient(middle, middle, 12, middle, middle, middle);
  const colour = theme === 'dark' ? '255, 200, 87' : '214, 138, 0';
  fade.addColorStop(0, `rgba(${colour}, 0.75)`);
  fade.addColorStop(1, `rgba(${colour}, 0)`);
  pen.beginPath();
  pen.moveTo(middle, middle);
  pen.arc(middle, middle, middle, -Math.PI / 2 - Math.PI / 6, -Math.PI / 2 + Math.PI / 6);
  pen.closePath();
  pen.fillStyle = fade;
  pen.fill();
}
