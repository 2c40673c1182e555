// @ts-check
// Bar heights and formatted numbers for the overview. Pure.

/**
 * Heights of bars as a share of the largest. A count above zero is always visible.
 * @param {number[]} counts
 */
export function bars(counts) {
  const most = Math.max(1, ...counts);
  return counts.map((count) => (count <= 0 ? 0 : Math.max(0.04, count / most)));
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/**
 * Formats a size: «1.4 GB».
 * @param {number} size bytes
 * @param {string} language BCP 47
 */
export function bytes(size, language) {
  let unit = 0;
  let rest = size;
  while (rest >= 1_000 && unit < SIZES.length - 1) {
    rest /= 1_000;
    unit += 1;
  }
  return new Intl.NumberFormat(language, {
    style: 'unit', unit: SIZES[unit], unitDisplay: 'short', maximumFractionDigits: rest < 10 && unit ? 1 : 0,
  }).format(rest);
}

/**
 * Formats the time elapsed: «3 hours ago».
 * @param {string} since RFC 3339
 * @param {number} now milliseconds since 1970
 * @param {string} language BCP 47
 */
export function ago(since, now, language) {
  const minutes = Math.max(0, Math.round((now - Date.parse(since)) / 60_000));
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (minutes < 60) return format.format(-minutes, 'minute');
  if (minutes < 48 * 60) return format.format(-Math.round(minutes / 60), 'hour');
  return format.format(-Math.round(minutes / 1_440), 'day');
}

/**
 * Formats a month: «November 2026». Returns an invalid month unchanged.
 * @param {string} month `2026-11` @param {string} language BCP 47
 */
export function formatMonth(month, language) {
  const first = new Date(`${month}-01T00:00:00Z`);
  if (!/^\d{4}-\d{2}$/.test(month) || Number.isNaN(first.getTime())) return month;
  return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(first);
}
