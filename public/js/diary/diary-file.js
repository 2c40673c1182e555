// @ts-check
// The diary as text: for storage, and as a file to keep or to take into another browser. Pure.

import { KINDS } from '../exposure/kinds.js';
import { emptyDiary } from './diary.js';

/** @typedef {import('./diary.js').Diary} Diary */
/** @typedef {import('./lock.js').Locked} Locked */

const FORMAT = 'farol-diary';
const VERSION = 1;
export const LARGEST = 100_000_000; // octets of a file
const LONGEST = 200; // characters of a name
const MOST_DAYS = 20_000;

/** @param {Diary} diary */
export function written(diary) { return JSON.stringify({ format: FORMAT, version: VERSION, diary }); }

/** @param {Locked} locked */
export function writtenLocked(locked) { return JSON.stringify({ format: FORMAT, version: VERSION, locked }); }

/**
 * Reads a file.
 * @param {string} text
 * @returns {{diary: Diary} | {locked: Locked} | null} null: not a file with a diary
 */
export function readFile(text) {
  /** @type {any} */
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (value?.format !== FORMAT || value.version !== VERSION) return null;
  const { locked } = value;
  if (locked) {
    const isLocked = ['salt', 'iv', 'data'].every((name) => typeof locked[name] === 'string')
      && Number.isInteger(locked.rounds) && locked.rounds > 0 && locked.rounds <= 10_000_000;
    return isLocked ? { locked: { salt: locked.salt, iv: locked.iv, data: locked.data, rounds: locked.rounds } } : null;
  }
  const diary = readDiary(value.diary);
  return diary && { diary };
}

/** @param {any} given @returns {Diary | null} */
function readDiary(given) {
  if (!isObject(given?.days) || !isObject(given.devices)) return null;
  const diary = emptyDiary();
  if (given.keep === null || (Number.isInteger(given.keep) && given.keep > 0)) diary.keep = given.keep;
  if (Array.isArray(given.thresholds)) diary.thresholds = given.thresholds.filter(isThreshold).slice(0, 10);
  for (const [id, device] of Object.entries(given.devices)) {
    const read = readDevice(device);
    if (read && /^[\w-]{1,64}$/.test(id)) diary.devices[id] = read;
  }
  for (const [day, record] of Object.entries(given.days).slice(0, MOST_DAYS)) {
    if (!isDay(day) || !Array.isArray(record?.passes)) continue;
    const passes = record.passes
      .filter((/** @type {any} */ pass) => isPass(pass) && Object.hasOwn(diary.devices, pass.device))
      .map((/** @type {any} */ { device, from, to, nearest }) => ({ device, from, to, nearest }));
    diary.days[day] = { passes, metres: isNumber(record.metres) && record.metres > 0 ? record.metres : 0 };
  }
  return diary;
}

/** @param {any} given @returns {import('./diary.js').KnownDevice | null} */
function readDevice(given) {
  const { name, category, operator, kinds, position } = given ?? {};
  const isText = (/** @type {unknown} */ text) => typeof text === 'string' && text.length <= LONGEST;
  if (!isText(name) || !isText(category) || !Array.isArray(kinds) || !isPosition(position)) return null;
  return {
    name, category, operator: isText(operator) ? operator : null, kinds: KINDS.filter((kind) => kinds.includes(kind)),
    position: [position[0], position[1]],
  };
}

/** @param {any} given */
function isPass(given) {
  return typeof given?.device === 'string' && [given.from, given.to, given.nearest].every(isNumber)
    && given.from <= given.to && Math.abs(given.from) < 8.64e15 && Math.abs(given.to) < 8.64e15;
}

/** @param {any} given */
function isThreshold(given) {
  return (given?.kind === 'all' || KINDS.includes(given?.kind)) && Number.isInteger(given.count) && given.count >= 0;
}

/** @param {any} value */
function isPosition(value) {
  return Array.isArray(value) && value.length === 2 && value.every(isNumber) && Math.abs(value[0]) <= 180
    && Math.abs(value[1]) <= 90;
}

/** @param {string} day */
function isDay(day) { return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00Z`)); }

/** @param {unknown} value */
function isNumber(value) { return typeof value === 'number' && Number.isFinite(value); }

/** @param {any} value */
function isObject(value) { return typeof value === 'object' && value !== null && !Array.isArray(value); }
