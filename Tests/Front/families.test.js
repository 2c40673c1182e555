// @ts-check
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FAMILIES, familyOfData } from '../../public/js/families.js';
import { PALETTES } from '../../public/js/map/palette.js';

const ROOT = new URL('../../', import.meta.url);
/** @type {{code: string, collects: string[]}[]} */
const CATEGORIES = JSON.parse(readFileSync(new URL('seed/taxonomies/categories.json', ROOT), 'utf8')).terms;

/** Linear light as seen without one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1). */
const SIGHT = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

/** @param {string} colour */
function linear(colour) {
  return [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
}

/** @param {number[]} light @param {number[][]} sight */
function seen(light, sight) {
  return sight.map((row) => Math.max(0, Math.min(1, row.reduce((sum, part, place) => sum + part * light[place], 0))));
}

/** The coordinates of a colour in Oklab (Ottosson 2020), in hundredths. @param {number[]} light */
function oklab([r, g, b]) {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ].map((part) => part * 100);
}

/** @param {string} a @param {string} b */
function contrast(a, b) {
  const [low, high] = [a, b].map(linear)
    .map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue).sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test('there are at most six families, each with a colour in both themes', () => {
  assert.ok(FAMILIES.length <= 6);
  for (const { families } of Object.values(PALETTES)) assert.deepEqual(Object.keys(families), [...FAMILIES]);
});

test('the colours of the families differ for readers with any kind of colour blindness', () => {
  for (const [theme, { families }] of Object.entries(PALETTES)) {
    for (const [name, sight] of Object.entries(SIGHT)) {
      for (const [place, one] of FAMILIES.entries()) {
        for (const other of FAMILIES.slice(place + 1)) {
          const [a, b] = [one, other].map((family) => oklab(seen(linear(families[family]), sight)));
          const apart = Math.hypot(...a.map((part, axis) => part - b[axis]));
          assert.ok(apart > 10, `${theme}, ${name}: ${one} and ${other} differ by ${apart.toFixed(1)}`);
        }
      }
    }
  }
});

test('the colours of the families have a contrast of 3:1 with markers and with land', () => {
  for (const [theme, { families, paper, land }] of Object.entries(PALETTES)) {
    for (const [family, colour] of Object.entries(families)) {
      for (const ground of [paper, land]) {
        assert.ok(contrast(colour, ground) >= 3, `${theme}: ${family} on ${ground}`);
      }
    }
  }
});

test('style sheets and map have the same colours', () => {
  const sheet = readFileSync(new URL('public/css/tokens.css', ROOT), 'utf8');
  for (const { families } of Object.values(PALETTES)) {
    for (const [family, colour] of Object.entries(families)) assert.ok(sheet.includes(`--family-${family}: ${colour};`));
  }
});

test('every category belongs to the family of the data that it collects', () => {
  const family = Object.fromEntries(CATEGORIES.map(({ code, collects }) => [code, familyOfData(collects)]));
  assert.equal(family.camera_fixed, 'camera');
  assert.equal(family.doorbell_camera, 'camera');
  assert.equal(family.biometric_camera, 'camera');
  assert.equal(family.alpr, 'plate');
  assert.equal(family.traffic_enforcement, 'camera', 'a speed camera is no plate reader');
  assert.equal(family.smart_speaker, 'sound');
  assert.equal(family.wifi_hotspot, 'radio');
  assert.equal(family.beacon, 'radio');
  assert.equal(family.smart_meter, 'sensor');
  assert.equal(family.wearable_health, 'other');
  assert.equal(family.other, 'other');
  assert.deepEqual(new Set(Object.values(family)), new Set(FAMILIES), 'no family is empty');
});

test('a category of an instance has a family as well, and one without data is among the others', () => {
  assert.equal(familyOfData(['usage', 'speech']), 'sound');
  assert.equal(familyOfData(['something_new']), 'other');
  assert.equal(familyOfData([]), 'other');
});
