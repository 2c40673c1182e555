// @ts-check
// Reads what happened in the cells around watches. Every cell is read as a whole, so that the requests reveal neither
// the area nor the filters of a watch. Pure, except for the requests of `ask`.

import { cellsAround } from './grid.js';

/** @typedef {import('./watch.js').Watch} Watch */
/** @typedef {import('../types').DeviceFeature} DeviceFeature */
/** @typedef {{day: string, complete: boolean, features: DeviceFeature[], links: import('../types').Link[]}} CellPage */
/** @typedef {{day: string, isComplete: boolean, features: DeviceFeature[]}} CellDay */
/**
 * The data read for a watch.
 * @typedef {object} Reading
 * @property {DeviceFeature[]} features
 * @property {string | null} readTo the last day that was read completely
 * @property {boolean} hasGap whether earlier days are no longer listed
 */
/** @typedef {(path: string) => Promise<CellPage>} Ask */

const REACH = 31; // days that the server lists, today included
const MOST_PAGES = 20; // of one day in one cell: 10,000 devices
const AT_ONCE = 3; // requests
const DAY = 86_400_000; // milliseconds

/** @param {string} day ISO @param {number} count */
export function dayAfter(day, count = 1) {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);
}

/**
 * The first day that a watch needs, and whether it needs earlier ones.
 * @param {Watch} watch @param {string} today
 */
export function firstDay({ readTo, since }, today) {
  const wanted = readTo ? dayAfter(readTo) : new Date(since).toISOString().slice(0, 10);
  const oldest = dayAfter(today, 1 - REACH);
  return { first: wanted < oldest ? oldest : wanted > today ? today : wanted, hasGap: wanted < oldest };
}

/**
 * @param {Watch[]} watches @param {Ask} ask @param {<Item>(items: Item[]) => Item[]} shuffled so that the order of the
 *   requests does not reveal the middle
 * @returns {Promise<Map<string, Reading>>} by the id of the watch
 */
export async function readNews(watches, ask, shuffled) {
  const wanted = watches.filter(({ isPaused }) => !isPaused)
    .map((watch) => ({ watch, cells: cellsAround(watch.area) ?? [] }));
  const cells = shuffled([...new Set(wanted.flatMap((one) => one.cells))]);
  /** @type {Map<string, CellDay>} */
  const known = new Map();
  await inTurns(cells, async (cell) => {
    const read = await readDay(`/api/cells/${cell}/changes`, ask);
    known.set(`${cell}/${read.day}`, read);
  });
  const today = [...known.values()].map(({ day }) => day).sort().pop();
  if (!today) return new Map();
  /** @type {Set<string>} */
  const missing = new Set();
  const plans = wanted.map(({ watch, cells: own }) => {
    const { first, hasGap } = firstDay(watch, today);
    /** @type {string[]} */
    const days = [];
    for (let day = first; day <= today; day = dayAfter(day)) days.push(day);
    for (const day of days) for (const cell of own) if (!known.has(`${cell}/${day}`)) missing.add(`${cell}/${day}`);
    return { watch, own, days, hasGap };
  });
  await inTurns(shuffled([...missing]), async (key) => {
    const [cell, day] = key.split('/');
    known.set(key, await readDay(`/api/cells/${cell}/changes?day=${day}`, ask));
  });
  return new Map(plans.map(({ watch, own, days, hasGap }) => {
    const read = days.map((day) => own.flatMap((cell) => known.get(`${cell}/${day}`) ?? []));
    const incomplete = read.findIndex((list) => list.some(({ isComplete }) => !isComplete));
    const readTo = (incomplete < 0 ? days : days.slice(0, incomplete)).pop() ?? watch.readTo;
    return [watch.id, { features: read.flat().flatMap(({ features }) => features), readTo, hasGap }];
  }));
}

/** @param {string} path @param {Ask} ask @returns {Promise<CellDay>} */
async function readDay(path, ask) {
  /** @type {DeviceFeature[]} */
  const features = [];
  let page = await ask(path);
  const isComplete = page.complete;
  for (let count = 1; ; count += 1) {
    features.push(...page.features);
    const next = page.links.find(({ rel }) => rel === 'next')?.href;
    if (!next || count >= MOST_PAGES) return { day: page.day, isComplete, features };
    const { pathname, search } = new URL(next, 'https://farol.invalid');
    page = await ask(pathname + search);
  }
}

/**
 * @template Item
 * @param {Item[]} items @param {(item: Item) => Promise<void>} act
 */
async function inTurns(items, act) {
  for (let i = 0; i < items.length; i += AT_ONCE) await Promise.all(items.slice(i, i + AT_ONCE).map(act));
}
