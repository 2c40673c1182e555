// @ts-check
// The exposure diary: the devices that a person passed, by day. Pure. It holds passes of devices and no track: where a
// person was between the devices is not kept.

import { countPassed } from '../exposure/count.js';
import { distance } from '../geography.js';

/** @typedef {import('../exposure/count.js').Count} Count */
/** @typedef {import('../exposure/kinds.js').Kind} Kind */
/** @typedef {import('../exposure/sensor.js').Sensor} Sensor */
/** @typedef {import('../types').Position} Position */
/** @typedef {import('./passes.js').Pass} Pass */
/** @typedef {import('./passes.js').Passing} Passing */
/**
 * @typedef {{name: string, category: string, operator: string | null, kinds: Kind[], position: Position}} KnownDevice
 * @typedef {{passes: Pass[], metres: number}} DayRecord
 * @typedef {{kind: Kind | 'all', count: number}} Threshold notify the user when a day passes so many devices
 * @typedef {'day' | 'week' | 'month' | 'year'} Period
 */
/**
 * @typedef {object} Diary
 * @property {Record<string, KnownDevice>} devices
 * @property {Record<string, DayRecord>} days by ISO day, local
 * @property {number | null} keep days until a day is forgotten; null: never
 * @property {Threshold[]} thresholds
 */

export const KEEP_DAYS = 90;
const DAY = 86_400_000; // milliseconds
const SAME = 60_000; // milliseconds between the beginnings of a pass in two files about the same walk
const PLACE = 75; // metres around a device within which others are at the same place

/** @returns {Diary} */
export function emptyDiary() { return { devices: {}, days: {}, keep: KEEP_DAYS, thresholds: [] }; }

/**
 * Adds passes. A pass that is there already, because the same walk was read before, stays single.
 * @param {Diary} diary @param {Passing} passing @param {Iterable<Sensor>} sensors
 * @param {(time: number) => string} dayOf
 * @returns {Diary}
 */
export function withPasses(diary, { passes, metres }, sensors, dayOf) {
  const days = { ...diary.days };
  const devices = { ...diary.devices };
  const used = new Set(passes.map(({ device }) => device));
  for (const { id, name, category, operator, kinds, position } of sensors) {
    if (used.has(id)) devices[id] = { name, category, operator, kinds, position };
  }
  /** @type {Record<string, Pass[]>} */
  const fresh = {};
  for (const pass of passes) (fresh[dayOf(pass.from)] ??= []).push(pass);
  for (const day of new Set([...Object.keys(metres), ...Object.keys(fresh)])) {
    const before = days[day] ?? { passes: [], metres: 0 };
    days[day] = {
      passes: merged(before.passes, fresh[day] ?? []),
      // The same walk in two files: the longer file contains all of it.
      metres: Math.max(before.metres, Math.round(metres[day] ?? 0)),
    };
  }
  return { ...diary, days, devices };
}

/** @param {Pass[]} old @param {Pass[]} fresh */
function merged(old, fresh) {
  const all = [...old];
  for (const pass of fresh) {
    const same = all.findIndex(({ device, from, to }) => device === pass.device
      && pass.from <= to + SAME && pass.to >= from - SAME);
    if (same < 0) all.push(pass);
    else all[same] = joined(all[same], pass);
  }
  return all.sort((a, b) => a.from - b.from);
}

/** @param {Pass} a @param {Pass} b @returns {Pass} */
function joined(a, b) {
  return {
    device: a.device, from: Math.min(a.from, b.from), to: Math.max(a.to, b.to), nearest: Math.min(a.nearest, b.nearest),
  };
}

/**
 * The diary without the days that are to be forgotten.
 * @param {Diary} diary @param {string} today ISO day
 * @returns {Diary}
 */
export function remembered(diary, today) {
  if (diary.keep === null) return diary;
  const oldest = dayBefore(today, diary.keep);
  return onlyDays(diary, (day) => day > oldest);
}

/** @param {Diary} diary @param {(day: string) => boolean} isKept @returns {Diary} */
export function onlyDays(diary, isKept) {
  const days = Object.fromEntries(Object.entries(diary.days).filter(([day]) => isKept(day)));
  const used = new Set(Object.values(days).flatMap(({ passes }) => passes.map(({ device }) => device)));
  const devices = Object.fromEntries(Object.entries(diary.devices).filter(([id]) => used.has(id)));
  return { ...diary, days, devices };
}

/**
 * The last day on which anything in a diary is remembered; null: no end, or nothing in it.
 * @param {Diary} diary @returns {string | null}
 */
export function lastsUntil({ days, keep }) {
  const latest = Object.keys(days).sort().pop();
  return keep === null || !latest ? null : dayBefore(latest, -keep);
}

/** @param {string} day ISO @param {number} count of days before it */
export function dayBefore(day, count) {
  return new Date(Date.parse(`${day}T00:00:00Z`) - count * DAY).toISOString().slice(0, 10);
}

/**
 * The first day of the period of a day; weeks begin on Monday.
 * @param {string} day ISO @param {Period} period
 */
export function startOf(day, period) {
  switch (period) {
    case 'week': return dayBefore(day, (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7);
    case 'month': return `${day.slice(0, 7)}-01`;
    case 'year': return `${day.slice(0, 4)}-01-01`;
    default: return day;
  }
}

/**
 * The periods in which there is a day, the latest first.
 * @param {Diary} diary @param {Period} period
 */
export function periodsOf(diary, period) {
  return [...new Set(Object.keys(diary.days).map((day) => startOf(day, period)))].sort().reverse();
}

/**
 * The passes of a period.
 * @param {Diary} diary @param {Period} period @param {string} start
 * @returns {{days: string[], passes: Pass[], metres: number}}
 */
export function during(diary, period, start) {
  const days = Object.keys(diary.days).filter((day) => startOf(day, period) === start).sort();
  return {
    days, passes: days.flatMap((day) => diary.days[day].passes),
    metres: days.reduce((sum, day) => sum + diary.days[day].metres, 0),
  };
}

/**
 * Counts the devices of some passes, each device once.
 * @param {Diary} diary @param {Pass[]} passes @returns {Count}
 */
export function countOf(diary, passes) {
  return countPassed(passes.flatMap(({ device }) => {
    const known = diary.devices[device];
    return known ? [{ id: device, ...known }] : [];
  }));
}

/**
 * @typedef {object} PlaceCount
 * @property {Position} position of its most passed device
 * @property {string} device @property {string} name @property {string} category
 * @property {number} devices @property {number} passes @property {number} seconds within the reach of any of them
 */

/**
 * The places that collect most: devices next to each other, by the number of passes and then by time.
 * @param {Diary} diary @param {Pass[]} passes @param {number} most
 * @returns {PlaceCount[]}
 */
export function placesOf(diary, passes, most) {
  /** @type {Map<string, {passes: number, seconds: number}>} */
  const byDevice = new Map();
  for (const { device, from, to } of passes) {
    const one = byDevice.get(device) ?? { passes: 0, seconds: 0 };
    byDevice.set(device, { passes: one.passes + 1, seconds: one.seconds + (to - from) / 1_000 });
  }
  const order = [...byDevice].filter(([device]) => diary.devices[device])
    .sort(([, a], [, b]) => b.passes - a.passes || b.seconds - a.seconds);
  /** @type {PlaceCount[]} */
  const places = [];
  for (const [device, { passes: count, seconds }] of order) {
    const { position, name, category } = diary.devices[device];
    const near = places.find((place) => distance(place.position, position) <= PLACE);
    if (near) {
      near.devices += 1;
      near.passes += count;
      near.seconds += seconds;
    } else {
      places.push({ position, device, name, category, devices: 1, passes: count, seconds });
    }
  }
  return places.sort((a, b) => b.passes - a.passes || b.seconds - a.seconds).slice(0, most);
}

/**
 * The thresholds that a day passes, with the number of devices.
 * @param {Diary} diary @param {string} day
 * @returns {{threshold: Threshold, count: number}[]}
 */
export function exceeded(diary, day) {
  const record = diary.days[day];
  if (!record) return [];
  const count = countOf(diary, record.passes);
  return diary.thresholds.map((threshold) => ({
    threshold,
    count: threshold.kind === 'all' ? count.devices
      : count.kinds.find(({ kind }) => kind === threshold.kind)?.count ?? 0,
  })).filter(({ threshold, count: found }) => found > threshold.count);
}

/**
 * The times at which the person passed the devices of an operator, the latest first.
 * @param {Diary} diary @param {Pass[]} passes @param {string} operator
 * @returns {{device: string, from: number, to: number}[]}
 */
export function momentsOf(diary, passes, operator) {
  return passes.filter(({ device }) => diary.devices[device]?.operator === operator)
    .map(({ device, from, to }) => ({ device, from, to })).sort((a, b) => b.from - a.from);
}

