// @ts-check
// Reads the place of a photo from its Exif data, and blanks that place in a file that cannot be
// encoded again. Only the GPS entries are read (Exif 2.32, section 4.6.6; TIFF 6.0, section 2). Pure:
// works on bytes, reads only within their bounds, and never throws.

/** @typedef {import('../geography.js').Position} Position */
/** @typedef {{at: number, type: number, count: number, value: number}} Entry offsets within the TIFF block */

/** Bytes at the beginning of a file that are searched; cameras write Exif data first. */
export const HEAD = 512 * 1024;
const MOST_SEGMENTS = 64; // of a JPEG before its pixels
const MOST_BLOCKS = 8; // Exif blocks in other formats
const MOST_ENTRIES = 256; // of a directory; cameras write about 30
const EXIF = [0x45, 0x78, 0x69, 0x66, 0, 0]; // «Exif», two zero bytes
const GPS = 0x8825;
const ENTRY = 12; // bytes
const ASCII = 2;
const RATIONAL = 5;

/**
 * The place of a photo.
 * @param {Uint8Array} bytes the beginning of the file
 * @returns {Position | null} null without a usable position
 */
export function photoPlace(bytes) {
  for (const block of blocks(bytes)) {
    const place = placeIn(block);
    if (place) return place;
  }
  return null;
}

/**
 * Overwrites the GPS entries of a file with zeros.
 * @param {Uint8Array} bytes changed in place
 * @returns {number} directories that were blanked
 */
export function blankPlace(bytes) {
  let count = 0;
  for (const block of blocks(bytes)) {
    const directory = gpsDirectory(block);
    if (!directory) continue;
    for (const { at, type, count: length, value } of directory.values()) {
      if (type === RATIONAL) blank(block, value, Math.min(length, MOST_ENTRIES) * 8);
      blank(block, at, ENTRY);
    }
    count += 1;
  }
  return count;
}

/** @param {DataView} block @param {number} from @param {number} length bytes */
function blank(block, from, length) {
  const end = Math.min(block.byteLength, from + length);
  for (let at = from; at < end; at += 1) block.setUint8(at, 0);
}

/**
 * The TIFF blocks of the Exif data in a file.
 * @param {Uint8Array} bytes
 * @returns {DataView[]}
 */
function blocks(bytes) {
  const isJPEG = bytes[0] === 0xff && bytes[1] === 0xd8;
  return (isJPEG ? segments(bytes) : marks(bytes)).map(([start, end]) => (
    new DataView(bytes.buffer, bytes.byteOffset + start, end - start)));
}

/** @param {Uint8Array} bytes @param {number} at */
function isExif(bytes, at) {
  return EXIF.every((byte, index) => bytes[at + index] === byte);
}

/**
 * The application segments of a JPEG with Exif data: markers with a length, until the pixels begin.
 * @param {Uint8Array} bytes
 */
function segments(bytes) {
  /** @type {[start: number, end: number][]} */
  const found = [];
  let at = 2;
  for (let count = 0; count < MOST_SEGMENTS && at + 4 <= bytes.length; count += 1) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === 0xda || marker === 0xd9) break;
    const length = bytes[at + 2] * 256 + bytes[at + 3];
    if (length < 2) break;
    const end = Math.min(bytes.length, at + 2 + length);
    if (marker === 0xe1 && isExif(bytes, at + 4)) found.push([at + 4 + EXIF.length, end]);
    at += 2 + length;
  }
  return found.filter(([start, end]) => start < end);
}

/**
 * Exif blocks of other formats, such as HEIF, found by their first bytes.
 * @param {Uint8Array} bytes
 */
function marks(bytes) {
  /** @type {[start: number, end: number][]} */
  const found = [];
  for (let at = bytes.indexOf(EXIF[0]); at >= 0 && found.length < MOST_BLOCKS; at = bytes.indexOf(EXIF[0], at + 1)) {
    const start = at + EXIF.length;
    if (isExif(bytes, at) && start < bytes.length) found.push([start, bytes.length]);
  }
  return found;
}

/** @param {DataView} block */
function isLittle(block) {
  return block.getUint8(0) === 0x49;
}

/**
 * The entries of the GPS directory by their tag; null without one.
 * @param {DataView} block
 * @returns {Map<number, Entry> | null}
 */
function gpsDirectory(block) {
  if (block.byteLength < 8) return null;
  const order = block.getUint16(0);
  if ((order !== 0x4949 && order !== 0x4d4d) || block.getUint16(2, isLittle(block)) !== 42) return null;
  const first = directory(block, block.getUint32(4, isLittle(block)));
  const pointer = first?.get(GPS);
  return pointer ? directory(block, pointer.value) : null;
}

/**
 * @param {DataView} block @param {number} start
 * @returns {Map<number, Entry> | null}
 */
function directory(block, start) {
  const little = isLittle(block);
  if (start + 2 > block.byteLength) return null;
  const count = block.getUint16(start, little);
  if (count > MOST_ENTRIES) return null;
  /** @type {Map<number, Entry>} */
  const entries = new Map();
  for (let at = start + 2; at < start + 2 + count * ENTRY && at + ENTRY <= block.byteLength; at += ENTRY) {
    entries.set(block.getUint16(at, little), {
      at, type: block.getUint16(at + 2, little), count: block.getUint32(at + 4, little),
      value: block.getUint32(at + 8, little),
    });
  }
  return entries;
}

/** @param {DataView} block @returns {Position | null} */
function placeIn(block) {
  const entries = gpsDirectory(block);
  if (!entries) return null;
  const latitude = angle(block, entries.get(1), entries.get(2), 'NS');
  const longitude = angle(block, entries.get(3), entries.get(4), 'EW');
  if (latitude === null || longitude === null || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  // Cameras without a fix write zeros.
  return latitude === 0 && longitude === 0 ? null : [longitude, latitude];
}

/**
 * Degrees, minutes and seconds with the letter of their hemisphere.
 * @param {DataView} block
 * @param {Entry | undefined} letter @param {Entry | undefined} parts
 * @param {string} letters the letters of the positive and the negative hemisphere
 * @returns {number | null} degrees
 */
function angle(block, letter, parts, letters) {
  if (letter?.type !== ASCII || parts?.type !== RATIONAL || parts.count !== 3) return null;
  const hemisphere = letters.indexOf(String.fromCharCode(block.getUint8(letter.at + 8)));
  if (hemisphere < 0 || parts.value + 24 > block.byteLength) return null;
  const little = isLittle(block);
  let degrees = 0;
  for (const [index, unit] of [1, 60, 3_600].entries()) {
    const over = block.getUint32(parts.value + index * 8, little);
    const under = block.getUint32(parts.value + index * 8 + 4, little);
    if (under === 0 && (over !== 0 || index === 0)) return null;
    // Some cameras write 0/0 for parts that they do not state.
    degrees += under === 0 ? 0 : over / under / unit;
  }
  return hemisphere === 0 ? degrees : -degrees;
}
