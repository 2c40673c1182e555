// The place of a photo, read from its Exif data.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankPlace, photoPlace } from '../../public/js/fields/photo-place.js';

const FUNCHAL = { latitude: [[32, 1], [38, 1], [5_244, 100]], longitude: [[16, 1], [54, 1], [3_132, 100]] };

/** A TIFF block with a GPS directory. */
function tiff({
  little = true, letters = ['N', 'W'], latitude = FUNCHAL.latitude, longitude = FUNCHAL.longitude, type = 5, count = 3,
} = {}) {
  const view = new DataView(new ArrayBuffer(160));
  const short = (at, value) => view.setUint16(at, value, little);
  const long = (at, value) => view.setUint32(at, value, little);
  view.setUint16(0, little ? 0x4949 : 0x4d4d);
  short(2, 42);
  long(4, 8);
  short(8, 1);
  [[10, 0x8825], [12, 4]].forEach(([at, value]) => short(at, value));
  long(14, 1);
  long(18, 26);
  short(26, 4);
  const entry = (index, tag, kind, length, value) => {
    const at = 28 + index * 12;
    short(at, tag);
    short(at + 2, kind);
    long(at + 4, length);
    if (typeof value === 'string') view.setUint8(at + 8, value.charCodeAt(0));
    else long(at + 8, value);
  };
  entry(0, 1, 2, 2, letters[0]);
  entry(1, 2, type, count, 80);
  entry(2, 3, 2, 2, letters[1]);
  entry(3, 4, type, count, 104);
  [[80, latitude], [104, longitude]].forEach(([from, parts]) => parts.forEach(([over, under], index) => {
    long(from + index * 8, over);
    long(from + index * 8 + 4, under);
  }));
  return [...new Uint8Array(view.buffer)];
}

const EXIF = [...'Exif'].map((letter) => letter.charCodeAt(0)).concat(0, 0);

/** A JPEG with other segments before its Exif data, and pixels after it. */
function jpeg(block) {
  const content = EXIF.concat(block);
  const length = content.length + 2;
  return Uint8Array.from([
    0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xe1, length >> 8, length & 255, ...content, 0xff, 0xda, 0, 8, 1, 2, 3,
  ]);
}

/** The beginning of a HEIF file with an Exif item. */
const heif = (block) => Uint8Array.from([
  0, 0, 0, 24, ...[...'ftypheic'].map((letter) => letter.charCodeAt(0)), 69, 69, 0, 1, 0, 0, 0, 6, ...EXIF, ...block,
]);

const near = (found, [longitude, latitude]) => {
  assert.ok(found, 'no place');
  assert.ok(Math.abs(found[0] - longitude) < 1e-9 && Math.abs(found[1] - latitude) < 1e-9, String(found));
};
const PLACE = [-(16 + 54 / 60 + 31.32 / 3_600), 32 + 38 / 60 + 52.44 / 3_600];

test('the place of a photo is read in both byte orders and from JPEG and HEIF', () => {
  for (const little of [true, false]) {
    near(photoPlace(jpeg(tiff({ little }))), PLACE);
    near(photoPlace(heif(tiff({ little }))), PLACE);
  }
});

test('the letters choose the hemisphere', () => {
  near(photoPlace(jpeg(tiff({ letters: ['S', 'E'] }))), [-PLACE[0], -PLACE[1]]);
  assert.equal(photoPlace(jpeg(tiff({ letters: ['X', 'W'] }))), null);
});

test('decimal degrees without minutes are read, also with 0/0 for the parts not stated', () => {
  const parts = (degrees) => [[degrees, 100], [0, 0], [0, 1]];
  near(photoPlace(jpeg(tiff({ latitude: parts(3_250), longitude: parts(1_675) }))), [-16.75, 32.5]);
});

test('zeros, impossible angles and divisions by zero are no place', () => {
  const none = [[0, 1], [0, 1], [0, 1]];
  for (const faulty of [
    { latitude: none, longitude: none }, { latitude: [[91, 1], [0, 1], [0, 1]] },
    { longitude: [[181, 1], [0, 1], [0, 1]] }, { latitude: [[32, 0], [0, 1], [0, 1]] },
    { latitude: [[32, 1], [1, 0], [0, 1]] }, { type: 10 }, { count: 2 }, { count: 2 ** 32 - 1 },
  ]) assert.equal(photoPlace(jpeg(tiff(faulty))), null, JSON.stringify(faulty));
});

test('a photo without Exif data has no place', () => {
  assert.equal(photoPlace(new Uint8Array()), null);
  assert.equal(photoPlace(Uint8Array.from([0xff, 0xd8, 0xff, 0xda, 0, 2])), null);
  assert.equal(photoPlace(Uint8Array.from([...'\x89PNG'].map((letter) => letter.charCodeAt(0)))), null);
});

test('Exif data after the pixels of a JPEG are not read', () => {
  const late = Uint8Array.from([0xff, 0xd8, 0xff, 0xda, 0, 2, ...jpeg(tiff()).slice(2)]);
  assert.equal(photoPlace(late), null);
});

test('blanking removes the place and the numbers it was read from', () => {
  for (const whole of [jpeg(tiff()), heif(tiff())]) {
    const length = whole.length;
    assert.equal(blankPlace(whole), 1);
    assert.equal(photoPlace(whole), null);
    assert.equal(whole.length, length);
    assert.ok(!String(whole).includes(String([0x7c, 0x14])), 'the seconds are still there'); // 5244
    assert.equal(blankPlace(new Uint8Array(20)), 0);
  }
});

test('truncated files are read without an error', () => {
  const whole = jpeg(tiff());
  for (let length = 0; length < whole.length; length += 1) photoPlace(whole.slice(0, length));
});

test('forty thousand damaged files give a valid place or none, and blanking them ends', () => {
  let seed = 20_261_125;
  const random = (below) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const originals = [jpeg(tiff()), jpeg(tiff({ little: false })), heif(tiff())];
  for (let round = 0; round < 40_000; round += 1) {
    const bytes = Uint8Array.from(originals[round % originals.length]);
    for (let change = random(8); change >= 0; change -= 1) bytes[random(bytes.length)] = random(256);
    const part = bytes.subarray(0, random(10) ? bytes.length : random(bytes.length));
    const found = photoPlace(part);
    if (found) {
      assert.ok(Math.abs(found[0]) <= 180 && Math.abs(found[1]) <= 90, String(found));
      blankPlace(part);
      assert.notDeepEqual(photoPlace(part), found);
    } else blankPlace(part);
  }
});

test('only the first blocks and segments of a file are read', () => {
  const marks = new Uint8Array(512 * 1024);
  for (let at = 0; at + 6 < marks.length; at += 6) marks.set(EXIF, at);
  const segments = Uint8Array.from([0xff, 0xd8, ...Array(200_000).fill([0xff, 0xe1, 0, 2]).flat()]);
  assert.equal(photoPlace(Uint8Array.from([...marks.slice(0, 60), ...heif(tiff())])), null);
  assert.equal(photoPlace(Uint8Array.from([...segments.slice(0, 2 + 64 * 4), ...jpeg(tiff()).slice(2)])), null);
  near(photoPlace(Uint8Array.from([...segments.slice(0, 2 + 32 * 4), ...jpeg(tiff()).slice(2)])), PLACE);
});
