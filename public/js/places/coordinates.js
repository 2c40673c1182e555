// @ts-check
// Reads coordinates in the formats that people type: «32.65, -16.9», «32,65 -16,9», «32° 39' 0" N 16° 54' W», links of
// maps and plus codes.

import { positionOfLink } from './map-link.js';

/** @typedef {{longitude: number, latitude: number}} Coordinate */
/** @typedef {'N' | 'S' | 'E' | 'W'} Letter */
/**
 * @typedef {{kind: 'number', value: number, negative: boolean} | {kind: 'mark', value: string} |
 *   {kind: 'letter', value: Letter} | {kind: 'break'}} Token
 */

/**
 * Portuguese uses O (oeste) and L (leste), Dutch Z (zuid).
 * @type {Record<string, Letter>}
 */
const LETTERS = { N: 'N', S: 'S', Z: 'S', E: 'E', L: 'E', Ö: 'E', Ø: 'E', W: 'W', O: 'W' };
/** In German and Dutch, O is the east. */
const GERMAN = { ...LETTERS, O: 'E' };

/**
 * The position in a text, or null. Latitude comes first, unless letters say otherwise or the number can
 * only be a longitude.
 * @param {string} text
 * @returns {Coordinate | null}
 */
export function parseCoordinates(text) {
  return readings(text)[0] ?? null;
}

/**
 * The positions that a text can mean, the likelier first: with the letter O, one in the west and one in the east.
 * @param {string} text
 * @returns {Coordinate[]}
 */
export function readings(text) {
  const linked = positionOfLink(text);
  if (linked) return [linked];
  const clean = tidy(text);
  if (clean.length > 80) return [];
  const [western, eastern] = [LETTERS, GERMAN].map((letters) => read(clean, letters));
  if (!western || !eastern) return [];
  return western.longitude === eastern.longitude ? [western] : [western, eastern];
}

/** @param {string} clean @param {Record<string, string>} letters */
function read(clean, letters) {
  const tokens = tokenise(clean, commaIsDecimal(clean), /** @type {Record<string, Letter>} */ (letters));
  const halves = tokens && split(tokens);
  if (!halves) return null;
  const first = readHalf(halves[0]);
  const second = readHalf(halves[1]);
  if (!first || !second) return null;
  return pair(first, second);
}

/** @param {string} text */
function tidy(text) {
  const inside = /^[([](.*)[)\]]$/.exec(text.trim());
  const clean = inside ? inside[1] : text.trim();
  return clean.replace(/[−–]/g, '-').replace(/[’′´‘]/g, "'").replace(/[”″“]/g, '"').replace(/''/g, '"')
    .replace(/[º˚]/g, '°');
}

/**
 * Whether the comma is the decimal separator: the text has no point, and each number contains a comma.
 * @param {string} text
 */
function commaIsDecimal(text) {
  return !text.includes('.') && (text.match(/\d,\d/g) ?? []).length === 2;
}

/**
 * @param {string} text @param {boolean} decimalComma @param {Record<string, Letter>} letters
 * @returns {Token[] | null}
 */
function tokenise(text, decimalComma, letters) {
  /** @type {Token[]} */
  const tokens = [];
  const number = decimalComma ? /^[-+]?\d{1,9}(?:,\d{1,15})?/ : /^[-+]?\d{1,9}(?:\.\d{1,15})?/;
  let rest = text;
  while (rest) {
    const found = number.exec(rest)?.[0];
    const letter = letters[rest[0].toUpperCase()];
    if (found) {
      tokens.push({ kind: 'number', value: Math.abs(Number(found.replace(',', '.'))), negative: found[0] === '-' });
      rest = rest.slice(found.length);
      continue;
    }
    if (letter) tokens.push({ kind: 'letter', value: letter });
    else if ('°\'"'.includes(rest[0])) tokens.push({ kind: 'mark', value: rest[0] });
    else if (',;/'.includes(rest[0])) tokens.push({ kind: 'break' });
    else if (rest[0].trim()) return null;
    rest = rest.slice(1);
  }
  return tokens;
}

/**
 * Splits the tokens into the two numbers.
 * @param {Token[]} tokens @returns {[Token[], Token[]] | null}
 */
function split(tokens) {
  const letters = tokens.flatMap((token, index) => (token.kind === 'letter' ? [index] : []));
  const breaks = tokens.flatMap((token, index) => (token.kind === 'break' ? [index] : []));
  const without = (/** @type {Token[]} */ part) => part.filter((token) => token.kind !== 'break');
  if (letters.length === 2) {
    const at = letters[0] === 0 ? letters[1] : letters[0] + 1;
    return [without(tokens.slice(0, at)), without(tokens.slice(at))];
  }
  if (letters.length > 0 || breaks.length > 1) return null;
  if (breaks.length === 1) return [tokens.slice(0, breaks[0]), tokens.slice(breaks[0] + 1)];
  const starts = tokens.flatMap((token, index) => (token.kind === 'number' ? [index] : []));
  if (starts.length < 2 || starts.length % 2 || starts.length > 6) return null;
  const middle = starts[starts.length / 2];
  return [tokens.slice(0, middle), tokens.slice(middle)];
}

/**
 * One number of one to three parts (degrees, minutes, seconds) with its letter.
 * @param {Token[]} tokens
 * @returns {{value: number, letter: string | null} | null}
 */
function readHalf(tokens) {
  /** @type {{value: number, negative: boolean}[]} */
  const numbers = [];
  let letter = null;
  for (const token of tokens) {
    if (token.kind === 'number') numbers.push(token);
    if (token.kind === 'letter') letter = token.value;
    if (token.kind === 'mark' && '°\'"'.indexOf(token.value) !== numbers.length - 1) return null;
  }
  if (numbers.length < 1 || numbers.length > 3) return null;
  if (numbers.slice(1).some((part) => part.negative || part.value >= 60)) return null;
  if (numbers.slice(0, -1).some((part) => !Number.isInteger(part.value))) return null;
  if (letter && numbers[0].negative) return null;
  const size = numbers.reduce((sum, part, index) => sum + part.value / 60 ** index, 0);
  return { value: numbers[0].negative || letter === 'S' || letter === 'W' ? -size : size, letter };
}

/**
 * @param {{value: number, letter: string | null}} first
 * @param {{value: number, letter: string | null}} second
 * @returns {Coordinate | null}
 */
function pair(first, second) {
  const upright = (/** @type {string | null} */ letter) => letter === 'N' || letter === 'S';
  if (first.letter && upright(first.letter) === upright(second.letter)) return null;
  const swapped = first.letter ? !upright(first.letter) : Math.abs(first.value) > 90;
  const latitude = swapped ? second.value : first.value;
  const longitude = swapped ? first.value : second.value;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return { longitude, latitude };
}
