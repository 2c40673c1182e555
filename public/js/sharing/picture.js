// @ts-check
// A picture to share: a dark ground with words and drawings, as a PNG. The browser draws it.

export const COLOURS = Object.freeze({
  ground: '#0b2545', field: '#14375f', ink: '#ffffff', soft: '#c9d8e6', beam: '#ffc857', gone: '#ff9b73',
});
const EDGE = 80; // pixels on each side of a line of words
const SMALLEST = 20; // pixels of the letters of words that are too long

export class SharedPicture {
  /** @param {number} width pixels @param {number} height */
  constructor(width, height) {
    this.canvas = document.createElement('canvas');
    [this.canvas.width, this.canvas.height] = [width, height];
    const pen = this.canvas.getContext('2d');
    if (!pen) throw new Error('The browser has no canvas');
    this.pen = pen;
    this.fill(0, 0, width, height, COLOURS.ground);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {string} colour */
  fill(x, y, width, height, colour) {
    this.pen.fillStyle = colour;
    this.pen.fillRect(x, y, width, height);
  }

  /**
   * Writes one line, smaller if it is too long.
   * @param {string} text @param {number} y of the line below the letters @param {number} size pixels
   * @param {string} [colour] @param {boolean} [isBold]
   */
  write(text, y, size, colour = COLOURS.ink, isBold = false) {
    const { pen } = this;
    const room = this.canvas.width - 2 * EDGE;
    let used = size;
    this.letters(used, isBold);
    while (used > SMALLEST && pen.measureText(text).width > room) this.letters(used -= 2, isBold);
    pen.fillStyle = colour;
    pen.fillText(text, EDGE, y, room);
  }

  /** @param {number} size pixels @param {boolean} [isBold] */
  letters(size, isBold = false) {
    const family = getComputedStyle(document.body).fontFamily;
    this.pen.font = `${size}px ${isBold ? '"Farol Sans Bold", ' : ''}${family}`;
  }

  /** @returns {Promise<Blob>} PNG */
  file() {
    return new Promise((resolve, reject) => {
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser made no picture'))),
        'image/png');
    });
  }
}
