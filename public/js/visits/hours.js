// @ts-check
// The weekly hours of a volunteer. Pure.

/** @typedef {{weekday: number, from: string, to: string}} Span `weekday`: 1 is Monday; times such as «18:00» */

/** Times of day from which the hours are chosen. */
export const TIMES = Object.freeze(Array.from({ length: 49 }, (_, half) => (
  `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`)));
export const MOST_SPANS = 21;

/**
 * Joins spans that touch or overlap, sorted by day and time.
 * @param {readonly Span[]} spans
 * @returns {Span[]}
 */
export function joined(spans) {
  const sorted = spans.filter(({ from, to }) => from < to)
    .sort((a, b) => a.weekday - b.weekday || (a.from < b.from ? -1 : 1));
  /** @type {Span[]} */
  const all = [];
  for (const span of sorted) {
    const last = all[all.length - 1];
    if (last && last.weekday === span.weekday && span.from <= last.to) {
      if (span.to > last.to) all[all.length - 1] = { ...last, to: span.to };
    } else all.push(span);
  }
  return all;
}
