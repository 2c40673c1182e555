// @ts-check
// Computes deadlines by the rules of docs/reference/rights.md: one month from receipt; the last day of the
// month if it has no such date; moved past weekends and holidays. Pure: days are ISO dates, and the
// current time is a parameter.

/**
 * Rule for the deadline of an answer.
 * @typedef {object} Rule
 * @property {string} first time to answer, an ISO 8601 duration in months or days
 * @property {string | null} extension additional time with a reason, also counted from receipt; null: no extension
 * @property {boolean} isLaw true: set by law; false: requested by the letter
 * @property {readonly string[]} freeDays holidays from Monday to Friday
 */

/**
 * Default rule without specific law or offer: one month, moved past weekends. The letter requests
 * it as a courtesy.
 * @type {Rule}
 */
export const COURTESY = Object.freeze({ first: 'P1M', extension: null, isLaw: false, freeDays: [] });

const DAY = 86_400_000; // milliseconds
const POST_DAYS = 5; // assumed days from sending to receipt

/** @param {string} day @returns {[number, number, number]} */
function parts(day) {
  const [year, month, date] = day.split('-').map(Number);
  return [year, month, date];
}

/**
 * @param {number} year
 * @param {number} month from 0; values above 11 continue in the next year
 * @param {number} date
 */
function written(year, month, date) {
  return new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);
}

/**
 * Whether a text is a valid ISO date.
 * @param {unknown} day
 * @returns {day is string}
 */
export function isDay(day) {
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return false;
  const [year, month, date] = parts(day);
  return month >= 1 && month <= 12 && date >= 1 && written(year, month - 1, date) === day;
}

/**
 * The UTC date of a date or time.
 * @param {string} at
 */
export function dayOf(at) {
  return isDay(at) ? at : new Date(at).toISOString().slice(0, 10);
}

/**
 * A time in the format of the API, in whole seconds.
 * @param {Date} time
 */
export function timeText(time) {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** @param {string} day @param {number} count may be negative */
export function addDays(day, count) {
  const [year, month, date] = parts(day);
  return written(year, month - 1, date + count);
}

/**
 * The same date some months later, or the last day of a month that has no such date.
 * @param {string} day @param {number} count
 */
export function addMonths(day, count) {
  const [year, month, date] = parts(day);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return written(year, month - 1 + count, Math.min(date, last));
}

/**
 * The first working day on or after a day.
 * @param {string} day @param {readonly string[]} freeDays
 */
function workingDay(day, freeDays) {
  let end = day;
  while ([0, 6].includes(new Date(`${end}T00:00:00Z`).getUTCDay()) || freeDays.includes(end)) end = addDays(end, 1);
  return end;
}

/**
 * The last day of a period that begins with receipt. Several periods are added up first.
 * @param {string} received
 * @param {string | readonly string[]} periods «P1M» or «P14D»
 * @param {readonly string[]} [freeDays]
 */
export function periodEnd(received, periods, freeDays = []) {
  let [months, days] = [0, 0];
  for (const period of [periods].flat()) {
    const [, count, unit] = /^P(\d{1,4})([MD])$/.exec(period) ?? ['', '1', 'M'];
    if (unit === 'M') months += Number(count);
    else days += Number(count);
  }
  return workingDay(addDays(addMonths(received, months), days), freeDays);
}

/**
 * The assumed day of receipt, used until the actual day is known.
 * @param {string} sent @param {string | null} channel
 */
export function assumedReceipt(sent, channel) {
  return channel === 'post' ? addDays(sent, POST_DAYS) : sent;
}

/**
 * Number of days until a day; negative for a past day.
 * @param {string} day @param {string} today
 */
export function daysUntil(day, today) {
  return Math.round((Date.parse(`${day}T00:00:00Z`) - Date.parse(`${today}T00:00:00Z`)) / DAY);
}

/**
 * Today in the time zone of the browser.
 * @param {Date} [now]
 */
export function todayHere(now = new Date()) {
  return written(now.getFullYear(), now.getMonth(), now.getDate());
}
