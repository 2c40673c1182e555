// @ts-check
// Retention periods: an ISO 8601 duration, `none` or `indefinite`. Pure.

/** Common periods offered as buttons, the shortest first. */
export const USUAL = ['none', 'PT24H', 'P3D', 'P7D', 'P30D', 'P3M', 'P1Y', 'indefinite'];

/** @typedef {'H' | 'D' | 'W' | 'M' | 'Y'} TimeUnit */

export const TIME_UNITS = /** @type {TimeUnit[]} */ (['H', 'D', 'W', 'M', 'Y']);

/**
 * @param {number} count whole number from 1 to 999
 * @param {TimeUnit} unit
 * @returns {string | null} null for an invalid count
 */
export function durationOf(count, unit) {
  if (!Number.isInteger(count) || count < 1 || count > 999) return null;
  return unit === 'H' ? `PT${count}H` : `P${count}${unit}`;
}

/**
 * Count and unit of a duration with one part.
 * @param {string | null | undefined} text
 * @returns {{count: number, unit: TimeUnit} | null}
 */
export function partsOf(text) {
  const found = /^P(?:(\d{1,3})([DWMY])|T(\d{1,3})H)$/.exec(text ?? '');
  if (!found) return null;
  return found[3]
    ? { count: Number(found[3]), unit: 'H' }
    : { count: Number(found[1]), unit: /** @type {TimeUnit} */ (found[2]) };
}
