// @ts-check
// Finds the columns with the positions of a list, and the coordinate system of their numbers. Pure.

import { isNamed, useByName, wordsOf } from './headers.js';
import { systemsFor, WEB_MAPS } from './systems.js';

/** @typedef {import('./guess.js').Column} Column */
/** @typedef {import('./guess.js').Use} Use */
/** @typedef {[number, number]} Pair */
/** @typedef {Record<string, string>} Templates column of degrees → its template with further columns */

/** Metres from the origin of a coordinate system. */
const LEAST = 10_000;

/** The order of the numbers of a position, as a mapping names it. */
export const LATITUDE_FIRST = 'latitude_longitude';
export const LONGITUDE_FIRST = 'longitude_latitude';

/**
 * Marks the columns with the positions.
 * @param {readonly Column[]} columns @param {Record<string, Use>} uses @param {number} rows
 */
export function guessPlace(columns, uses, rows) {
  const named = bestPair(columns, rows);
  const single = bestSingle(columns, rows);
  const values = named || single ? null : pairByValues(columns);
  // Degrees by name are certain; metres of a projection are not, if another column has whole positions.
  const pair = named && (named.areDegrees || !single) ? named : values;
  if (pair) {
    uses[pair.latitude.column] = 'latitude';
    uses[pair.longitude.column] = 'longitude';
  } else if (single) {
    uses[single.column] = 'position';
  }
}

/**
 * The two columns with names of coordinates whose values fit best.
 * @param {readonly Column[]} columns @param {number} rows
 */
function bestPair(columns, rows) {
  const candidates = (/** @type {Use} */ use) => columns.filter((column) => (
    column.numbers.some((number) => number !== null) && useByName(column.column) === use
    && column.kind !== 'hemisphere' && ![MINUTES, SECONDS].some((end) => end.test(nameOf(column)))));
  /** @type {{latitude: Column, longitude: Column, areDegrees: boolean, score: number} | null} */
  let best = null;
  const longitudes = candidates('longitude');
  for (const latitude of candidates('latitude')) {
    for (const longitude of longitudes) {
      const areDegrees = [latitude, longitude].every((one, place) => (
        looksLikeDegrees(one, place ? 180 : 90) || minutesOf(one, columns).length > 0));
      const distance = Math.abs(columns.indexOf(latitude) - columns.indexOf(longitude));
      const score = (areDegrees ? 8 : 0) + (isNamed(latitude.column, 'latitude') ? 1 : 0)
        + (isNamed(longitude.column, 'longitude') ? 1 : 0) + (haveOneStem(latitude, longitude) ? 1 : 0)
        + Math.min(latitude.filled, longitude.filled) * 2 / Math.max(rows, 1) - Math.min(distance, 10) / 20;
      if (!best || score > best.score) best = { latitude, longitude, areDegrees, score };
    }
  }
  return best;
}

/** Minutes and seconds of an arc, and degrees, as the end of a name. */
const MINUTES = /(mins?|minutes?|minuten|minutos?|\bm)$/;
const SECONDS = /(secs?|seconds?|sek|sekunden|segundos?|\bs)$/;
const DEGREES = /(degrees?|degs?|grados?|graus?|grad|\bd)$/;

/** @param {Column} column */
const nameOf = ({ column }) => wordsOf(column).join(' ');

/**
 * The columns with the minutes and seconds of a column with degrees: LatDeg, LatMin, LatSec.
 * @param {Column} degrees @param {readonly Column[]} columns
 * @returns {Column[]}
 */
function minutesOf(degrees, columns) {
  const stem = (/** @type {Column} */ column, /** @type {RegExp} */ end) => (
    nameOf(column).replace(end, '').trim());
  const whole = stem(degrees, DEGREES);
  const fits = (/** @type {RegExp} */ end) => columns.find((column) => (
    column !== degrees && column.kind === 'number' && end.test(nameOf(column)) && stem(column, end) === whole));
  const minutes = fits(MINUTES);
  if (!minutes) return [];
  const seconds = fits(SECONDS);
  return seconds ? [minutes, seconds] : [minutes];
}

/** Signs of degrees, minutes and seconds. */
const MARKS = ['°', "'", '"'];

/**
 * Templates for coordinates in several columns: degrees, minutes, seconds, and the half of the earth.
 * @param {readonly Column[]} columns @param {Record<string, Use>} uses
 * @returns {Templates}
 */
export function guessTemplates(columns, uses) {
  /** @type {Templates} */
  const templates = {};
  for (const use of /** @type {const} */ (['latitude', 'longitude'])) {
    const degrees = columns.find(({ column }) => uses[column] === use);
    if (!degrees) continue;
    const letters = use === 'latitude' ? /^[NS]$/i : /^[EW]$/i;
    const halves = columns.filter(({ kind, samples }) => (
      kind === 'hemisphere' && samples.every((text) => letters.test(text))));
    const distance = (/** @type {Column} */ column) => Math.abs(columns.indexOf(column) - columns.indexOf(degrees));
    const half = halves.sort((one, other) => distance(one) - distance(other))[0];
    // A column with signs needs no letter.
    const isSigned = degrees.numbers.some((number) => number !== null && number < 0) || degrees.kind === 'degrees';
    const minutes = minutesOf(degrees, columns);
    const numbers = minutes.length ? [degrees, ...minutes].map(({ column }, place) => `{${column}}${MARKS[place]}`)
      : [`{${degrees.column}}`];
    const parts = [...numbers, ...(half && !isSigned ? [`{${half.column}}`] : [])];
    if (parts.length > 1) templates[degrees.column] = parts.join(' ');
  }
  return templates;
}

/**
 * The columns of a template.
 * @param {string} template
 */
export const columnsOf = (template) => [...template.matchAll(/\{([^{}]+)\}/g)].map(([, column]) => column);

/**
 * The numbers of a coordinate with its parts.
 * @param {Column} degrees @param {readonly Column[]} parts @param {string} [form]
 */
export function composed(degrees, parts, form = '') {
  return degrees.numbers.map((whole, row) => {
    if (whole === null) return null;
    let [size, sign, share] = [Math.abs(whole), Object.is(whole, -0) || whole < 0 ? -1 : 1, 60];
    if (form === DEGREES_MINUTES) size = Math.floor(size / 100) + (size % 100) / 60;
    for (const { kind, numbers } of parts) {
      const number = numbers[row];
      if (number === null || number === undefined) return null;
      if (kind === 'hemisphere') sign *= number;
      else {
        size += number / share;
        share *= 60;
      }
    }
    return size * sign;
  });
}

/**
 * Whether the names differ only in the word of the coordinate: X_WGS84 and Y_WGS84.
 * @param {Column} one @param {Column} other
 */
function haveOneStem({ column: one }, { column: other }) {
  const rest = (/** @type {string} */ name) => wordsOf(name).join('').replace(/^(lat|lon|lng)\p{L}*|^[xy]|[xy]$/u, '');
  return rest(one) === rest(other);
}

/**
 * The column whose values are positions; the one with a name of positions first.
 * @param {readonly Column[]} columns @param {number} rows
 */
function bestSingle(columns, rows) {
  const rate = (/** @type {Column} */ column) => column.filled / Math.max(rows, 1)
    + (useByName(column.column) === 'position' ? 1 : 0) + (column.column.endsWith('/coordinates') ? 1 : 0);
  const found = columns.filter((column) => column.kind === 'position' && column.pairs.length > 0 && isClear(column));
  return found.sort((one, other) => rate(other) - rate(one))[0] ?? null;
}

/** Notations that are nothing else than positions: geometries, links, degrees with letters or signs, UTM. */
const CLEAR = new RegExp([
  '^(\\{|\\[|POINT|MULTI|LINE|POLY|SRID|GEOMETRY|geo:|https?:|0[01][0-9a-f]{18}|[2-9CFGHJMPQRVWX]{8}\\+)',
  '[°º˚]', '\\b(lat|lon)', '\\d[\'" ]*[NS]\\b.*\\d[\'" ]*[EWO]\\b', '\\b[NS] ?\\d.*[EWO] ?\\d',
  '^(UTM )?\\d{1,2} ?[C-X] \\d{6}\\D.*\\d{6}', '\\d[.,]\\d{3,}\\D+\\d+[.,]\\d{3,}',
].join('|'), 'i');

/**
 * Whether the name of a column or the notation of its values leaves no doubt that they are positions: «08.00-17.00» are
 * hours, and «SN1001» is the number of a thing.
 * @param {Column} column
 */
function isClear({ column, samples }) {
  if (useByName(column) === 'position' || column.endsWith('/coordinates')) return true;
  if (/geo|grid|mgrs|utm|coord|latl(on|ng)|lonlat/i.test(column)) return true;
  return samples.filter((text) => CLEAR.test(text)).length * 2 > samples.length;
}

/** How a column writes its positions, as a mapping names it. */
export const GEOHASH = 'geohash';
export const DEGREES_MINUTES = 'degrees_minutes';

/**
 * The form of the numbers or texts of columns with positions: geohashes, or degrees with their minutes in one number.
 * @param {readonly Column[]} columns @param {Record<string, Use>} uses @param {Templates} templates
 * @returns {Record<string, string>}
 */
export function guessForms(columns, uses, templates) {
  const named = (/** @type {Use} */ use) => columns.find(({ column }) => uses[column] === use);
  const position = named('position');
  if (position) return /geohash/i.test(position.column) ? { [position.column]: GEOHASH } : {};
  const [latitude, longitude] = [named('latitude'), named('longitude')];
  if (!latitude || !longitude) return {};
  const isSaid = [latitude, longitude].every(({ column }) => templates[column] || /nmea|d?ddmm/i.test(column));
  return isSaid && mayHaveMinutes(latitude, 90) && mayHaveMinutes(longitude, 180)
    ? { [latitude.column]: DEGREES_MINUTES, [longitude.column]: DEGREES_MINUTES } : {};
}

/**
 * Whether most numbers of a column are no degrees, and all would be degrees with minutes below 60.
 * @param {Column} column @param {number} most degrees
 */
function mayHaveMinutes({ kind, numbers }, most) {
  const sizes = numbers.filter((number) => number !== null).map((number) => Math.abs(number ?? 0));
  return kind === 'number' && sizes.filter((size) => size > most).length * 2 > sizes.length
    && sizes.every((size) => size % 100 < 60 && size < (most + 1) * 100);
}

/**
 * If the names say nothing, two neighbouring columns of fractions within the range of degrees are the position.
 * @param {readonly Column[]} columns
 */
function pairByValues(columns) {
  const degrees = columns.filter((column) => looksLikeDegrees(column, 180));
  const first = degrees.find((column, place) => degrees[place + 1] && columns.indexOf(degrees[place + 1])
    - columns.indexOf(column) <= 2);
  if (!first) return null;
  const [one, other] = [first, degrees[degrees.indexOf(first) + 1]];
  // A latitude is at most 90; most lists write it first.
  const isTurned = one.numbers.some((number) => number !== null && Math.abs(number) > 90);
  return isTurned ? { latitude: other, longitude: one } : { latitude: one, longitude: other };
}

/**
 * Whether most values are fractions in the range; a few rows of a list may be wrong.
 * @param {Column} column @param {number} most
 */
function looksLikeDegrees({ kind, numbers }, most) {
  const known = /** @type {number[]} */ (numbers.filter((number) => number !== null));
  const inRange = known.filter((number) => Math.abs(number) <= most);
  const fractions = known.filter((number) => !Number.isInteger(number) || number === 0);
  return known.length > 0 && inRange.length * 10 >= known.length * 9
    && (kind === 'degrees' || fractions.length * 10 >= known.length * 9 && fractions.some(Boolean));
}

/**
 * The order of the numbers of a column with positions: null if their notation states it.
 * @param {Column} column @param {string | null} [format] of the list
 */
export function guessOrder({ column, order, pairs }, format = null) {
  if (order !== null) return null;
  if (pairs.some((pair) => pair && Math.abs(pair[0]) > 90)) return LONGITUDE_FIRST;
  if (pairs.some((pair) => pair && Math.abs(pair[1]) > 90)) return LATITUDE_FIRST;
  const name = wordsOf(column).join('');
  // JSON has the coordinates of GeoJSON, also without the object around them.
  const isGeoJSON = /coordinates$/.test(column) && (format === 'json' || column.startsWith('/'));
  return isGeoJSON || /^(lon|lng|x)\p{L}*(lat|y)/u.test(name) ? LONGITUDE_FIRST : LATITUDE_FIRST;
}

/**
 * The numbers of a column with positions as longitude and latitude, or x and y.
 * @param {Column} column @param {string | undefined} order that the mapping states
 * @returns {(Pair | null)[]}
 */
export function turned({ pairs, order: stated }, order) {
  const isTurned = (order ?? stated ?? LATITUDE_FIRST) === LATITUDE_FIRST;
  return pairs.map((pair) => (pair && isTurned ? [pair[1], pair[0]] : pair));
}

/** Names of coordinates of a national survey. */
const SURVEY = /\b(eastings?|northings?|rechtswert|hochwert|nordwert|ostwert|ost|nord|[en])$/;

/**
 * The coordinate system of numbers that are no degrees, if there is no doubt; otherwise empty.
 * @param {readonly (Pair | null)[]} pairs @param {readonly string[]} names of the columns and the file
 */
export function guessSystem(pairs, names) {
  // Small numbers may be anything: places on a plan, or rows and columns.
  const large = pairs.filter((pair) => pair && Math.max(Math.abs(pair[0]), Math.abs(pair[1])) >= LEAST);
  if (large.length * 2 < pairs.filter(Boolean).length) return '';
  const systems = systemsFor(pairs, names);
  // Any numbers fit the system of web maps, but the columns of a survey have other names.
  const isSurvey = names.some((name) => SURVEY.test(wordsOf(name).join(' ')));
  const likely = systems.filter(({ code, isNamed }) => isNamed || code !== WEB_MAPS);
  const [first, second] = likely.length || isSurvey ? likely : systems;
  return first && (!second || first.isNamed) ? first.code : '';
}
