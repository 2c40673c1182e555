// @ts-check
// Numbers of the overview in shapes and words. Pure.

/**
 * Heights of bars, each a share of the tallest; what is not nothing is seen.
 * @param {number[]} counts
 */
export function bars(counts) {
  const most = Math.max(1, ...counts);
  return counts.map((count) => (count <= 0 ? 0 : Math.max(0.04, count / most)));
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/** «1.4 GB». @param {number} size @param {string} language BCP 47 */
export function bytes(size, language) {
  let unit = 0;
  let rest = size;
  while (rest >= 1_000 && unit < SIZES.length - 1) {
    rest /= 1_000;
    unit += 1;
  }
  return new Intl.NumberFormat(language, { style: 'unit', unit: SIZES[unit], unitDisplay: 'short', maximumFractionDigits: rest < 10 && unit ? 1 : 0 }).format(rest);
}

/** «3 hours ago». @param {string} since RFC 3339 @param {number} now milliseconds @param {string} language BCP 47 */
export function ago(since, now, language) {
  const minutes = Math.max(0, Math.round((now - Date.parse(since)) / 60_000));
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (minutes < 60) return format.format(-minutes, 'minute');
  if (minutes < 48 * 60) return format.format(-Math.round(minutes / 60), 'hour');
  return format.format(-Math.round(minutes / 1_440), 'day');
}

/** «November 2026»; what is no month stays as it is. @param {string} month `2026-11` @param {string} language BCP 47 */
export function formatMonth(month, language) {
  const first = new Date(`${month}-01T00:00:00Z`);
  if (!/^\d{4}-\d{2}$/.test(month) || Number.isNaN(first.getTime())) return month;
  return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(first);
}
