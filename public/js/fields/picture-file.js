// @ts-check
// A picture from a camera or a folder, made smaller here, before it goes anywhere. Drawing it anew also
// leaves behind what cameras write into files: where, when and with which phone it was taken.

const LONGEST = 2_560; // pixels of the longer side: enough to read a sign
const QUALITY = 0.86;
const LARGEST = 15 * 2 ** 20; // bytes of a file that this browser cannot draw and sends as it is
/** Kinds that the server reads, though not every browser does. */
const FOREIGN = ['image/heic', 'image/heif'];

/** What cannot be taken: a key of the catalogue says why. */
export class NoPicture extends Error {
  /** @param {'photo.not_image' | 'photo.too_large'} key */
  constructor(key) {
    super(key);
    this.key = key;
  }
}

/**
 * How large a picture becomes: never larger than it was.
 * @param {number} width @param {number} height @param {number} [longest]
 * @returns {[width: number, height: number]}
 */
export function fitted(width, height, longest = LONGEST) {
  const scale = Math.min(1, longest / Math.max(width, height));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/**
 * @param {File | Blob} file
 * @returns {Promise<Blob>} a JPEG; a file that this browser cannot draw but the server can, as it is
 * @throws {NoPicture}
 */
export async function smallPicture(file) {
  let drawn;
  try {
    drawn = await createImageBitmap(file, /** @type {any} */ ({ imageOrientation: 'from-image' }));
  } catch {
    if (!FOREIGN.includes(file.type)) throw new NoPicture('photo.not_image');
    if (file.size > LARGEST) throw new NoPicture('photo.too_large');
    return file;
  }
  const [width, height] = fitted(drawn.width, drawn.height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext('2d');
  if (!pen) throw new NoPicture('photo.not_image');
  pen.fillStyle = '#ffffff'; // under what is see-through
  pen.fillRect(0, 0, width, height);
  pen.drawImage(drawn, 0, 0, width, height);
  drawn.close();
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new NoPicture('photo.not_image'))), 'image/jpeg', QUALITY);
  });
}
