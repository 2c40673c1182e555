// @ts-check
// Resizes a picture in the browser before upload. Encoding it again also removes the metadata of
// the camera: place, time and phone model.

import { blankPlace } from './photo-place.js';

const LONGEST = 2_560; // pixels of the longer side: enough to read a sign
const QUALITY = 0.86;
const LARGEST = 10 * 2 ** 20; // maximum bytes of a file that this browser cannot decode and sends unchanged
/** Formats that the server can decode although some browsers cannot. */
const FOREIGN = ['image/heic', 'image/heif'];

/** Thrown for a file that cannot be used. The message is a translation key with the reason. */
export class NoPicture extends Error {
  /** @param {'photo.not_image' | 'photo.too_large'} key */
  constructor(key) {
    super(key);
    this.key = key;
  }
}

/**
 * Size of the resized picture; never larger than the original.
 * @param {number} width
 * @param {number} height
 * @param {number} [longest]
 * @returns {[width: number, height: number]}
 */
function fitted(width, height, longest = LONGEST) {
  const scale = Math.min(1, longest / Math.max(width, height));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/**
 * @param {File | Blob} file
 * @returns {Promise<Blob>} a JPEG; or, if only the server can decode it, the file with its place blanked
 * @throws {NoPicture}
 */
export async function smallPicture(file) {
  let drawn;
  try {
    drawn = await createImageBitmap(file, /** @type {any} */ ({ imageOrientation: 'from-image' }));
  } catch {
    if (!FOREIGN.includes(file.type)) throw new NoPicture('photo.not_image');
    if (file.size > LARGEST) throw new NoPicture('photo.too_large');
    return withoutPlace(file);
  }
  const [width, height] = fitted(drawn.width, drawn.height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext('2d');
  if (!pen) throw new NoPicture('photo.not_image');
  pen.fillStyle = '#ffffff'; // background of transparent areas
  pen.fillRect(0, 0, width, height);
  pen.drawImage(drawn, 0, 0, width, height);
  drawn.close();
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new NoPicture('photo.not_image'))), 'image/jpeg', QUALITY);
  });
}

/**
 * A file that this browser cannot encode again. The server removes the other metadata.
 * @param {File | Blob} file
 */
async function withoutPlace(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  blankPlace(bytes);
  return new Blob([bytes], { type: file.type });
}
