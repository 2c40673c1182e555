// @ts-check
// Draws the images that the layers name: «device/light/alpr/confirmed», «cluster/dark/webcam/camera7plate3/1»,
// «wedge/light». The family of the category determines the colour, the category the symbol, and the shape
// expresses the status.

import { h } from '../dom.js';
import { categoryIcon, familyOf } from '../taxonomies.js';
import { PALETTES } from './palette.js';

const RATIO = 2; // image pixels per CSS pixel
const DEVICE = 36;
const WEDGE = 96;
/** Diameters in pixels by size class. */
export const CLUSTER = [42, 46, 52, 58];
const RING = /([a-z]+)(\d+)/g;

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
 * Draws the images of a map in the colours of another theme under their own names, until they are drawn again.
 * @param {any} map @param {'light' | 'dark' | null} theme null: each in its own
 */
export function repaint(map, theme) {
  for (const id of /** @type {string[]} */ (map.listImages())) {
    const [kind, own, ...rest] = id.split('/');
    if (theme && (own === theme || !rest.length && kind !== 'wedge')) continue;
    const draw = painter(theme ? [kind, theme, ...rest].join('/') : id);
    if (draw) map.updateImage(id, draw());
  }
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
    else drawCluster(pen, theme, parts[2], parts[3], size);
    return pen.getImageData(0, 0, size * RATIO, size * RATIO);
  };
}

/**
 * The image of a name as an element, for a legend. Its symbol is missing until it is loaded.
 * @param {string} id
 */
export function sample(id) {
  const image = painter(id)?.();
  const element = document.createElement('canvas');
  if (!image) return element;
  element.width = image.width;
  element.height = image.height;
  element.style.width = `${image.width / RATIO}px`;
  element.getContext('2d')?.putImageData(image, 0, 0);
  return element;
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
  const edge = gone ? palette.gone : palette.families[familyOf(category)];
  pen.beginPath();
  if (status === 'confirmed') pen.arc(middle, middle, 15, 0, 2 * Math.PI);
  else if (status === 'disputed') diamond(pen, middle, 17);
  else rounded(pen, middle - 13.5, middle - 13.5, 27, 27, 8);
  pen.shadowColor = 'rgba(4, 16, 32, 0.35)';
  pen.shadowBlur = 3 * RATIO;
  pen.shadowOffsetY = RATIO;
  pen.fillStyle = status === 'confirmed' ? edge : palette.paper;
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
 * A circle with the most frequent category above the count. The ring around it shows the shares of the families.
 * @param {CanvasRenderingContext2D} pen @param {'light' | 'dark'} theme @param {string} category
 * @param {string} ring families and their shares in twelfths, «camera7plate3» @param {number} size
 */
function drawCluster(pen, theme, category, ring, size) {
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
  pen.lineWidth = 4.5;
  pen.strokeStyle = palette.rest;
  pen.stroke();
  let from = -Math.PI / 2;
  for (const [, family, twelfths] of ring.matchAll(RING)) {
    const to = from + (Number(twelfths) / 12) * 2 * Math.PI;
    pen.beginPath();
    pen.arc(middle, middle, radius, from, to);
    pen.strokeStyle = colourOf(palette, family);
    pen.stroke();
    from = to;
  }
  const symbol = 13 + (size - 42) / 5;
  drawSymbol(pen, category, palette.families[familyOf(category)], middle - symbol / 2, middle - symbol - 0.5, symbol);
}

/** @param {import('./palette.js').Palette} palette @param {string} family */
function colourOf({ families, rest }, family) {
  return Object.entries(families).find(([name]) => name === family)?.[1] ?? rest;
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
