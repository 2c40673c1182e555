// @ts-check
// Numbers, dates, durations and places in the user's language. Pure.

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/** @param {number} number @param {string} language */
export function formatNumber(number, language) {
  // Needs no grouping. The first `NumberFormat` of a page is slow on a slow phone.
  if (Number.isInteger(number) && Math.abs(number) < 1_000) return String(number);
  const known = formats.get(language) ?? new Intl.NumberFormat(locale(language), { useGrouping: true });
  formats.set(language, known);
  return known.format(number);
}

/**
 * The locale of a language: European Portuguese, and English with the day before the month.
 * @param {string} language
 */
export function locale(language) {
  return { pt: 'pt-PT', en: 'en-GB' }[language] ?? language;
}

/**
 * «120 m», «3.4 km», «1,200 km».
 * @param {number} metres @param {string} language
 */
export function formatDistance(metres, language) {
  const unit = metres < 995 ? 'meter' : 'kilometer';
  const value = unit === 'meter' ? Math.round(metres / 5) * 5 : metres / 1_000;
  const digits = unit === 'kilometer' && value < 10 ? 1 : 0;
  const rounded = Math.round(value * 10 ** digits) / 10 ** digits;
  // Each row of a list has a distance, and the first `NumberFormat` of a page is slow on a slow phone.
  const mark = { en: '.', pt: ',' }[language];
  if (mark && rounded < 1_000) return `${String(rounded).replace('.', mark)} ${unit === 'meter' ? 'm' : 'km'}`;
  return new Intl.NumberFormat(locale(language), {
    style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits,
  }).format(value);
}

/**
 * A day in words, or null if the text is not a day.
 * @param {string | null | undefined} text RFC 3339 time or ISO 8601 day @param {string} language
 */
export function formatDay(text, language) {
  if (!text) return null;
  const date = new Date(text.length === 10 ? `${text}T12:00:00Z` : text);
  if (Number.isNaN(date.getTime())) return null;
  return new Intl.DateTimeFormat(locale(language), { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

/**
 * A day and a time, in the user's time zone.
 * @param {string} text RFC 3339 @param {string} language
 */
export function formatMoment(text, language) {
  return new Intl.DateTimeFormat(locale(language), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text));
}

/**
 * The time of day, «14:05».
 * @param {number} milliseconds since 1970 @param {string} language
 */
export function formatTime(milliseconds, language) {
  return new Intl.DateTimeFormat(locale(language), { timeStyle: 'short' }).format(milliseconds);
}

/**
 * A day, a month or a year; null for any other text.
 * @param {string | null | undefined} text «2024», «2024-05» or «2024-05-31» @param {string} language
 */
export function formatDate(text, language) {
  if (!text || !/^\d{4}(-\d{2}){0,2}$/.test(text)) return null;
  if (text.length === 4) return text;
  if (text.length === 10) return formatDay(text, language);
  const date = new Date(`${text}-01T12:00:00Z`);
  if (Number.isNaN(date.getTime())) return null;
  return new Intl.DateTimeFormat(locale(language), { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(date);
}

const DAY = 86_400_000; // milliseconds

/**
 * The words of `Intl.RelativeTimeFormat` with `numeric: 'auto'`, which takes long to load on a slow phone: each row of
 * a list has an age. By unit: the words of the first numbers from 0 on, and the words with `#` for all others.
 * @type {Record<string, Record<'day' | 'month' | 'year', string[]>>}
 */
const AGO = {
  en: {
    day: ['today', 'yesterday', '# days ago'], month: ['this month', 'last month', '# months ago'],
    year: ['this year', 'last year', '# years ago'],
  },
  pt: {
    day: ['hoje', 'ontem', 'anteontem', 'há # dias'], month: ['este mês', 'mês passado', 'há # meses'],
    year: ['este ano', 'ano passado', 'há # anos'],
  },
};

/** @param {number} count @param {'day' | 'month' | 'year'} unit @param {string} language */
function ago(count, unit, language) {
  const words = AGO[language]?.[unit];
  if (!words) return new Intl.RelativeTimeFormat(locale(language), { numeric: 'auto' }).format(-count, unit);
  return words[Math.min(count, words.length - 1)].replace('#', String(count));
}

/**
 * «today», «3 days ago», «5 months ago», «2 years ago»; null if the text is not a day.
 * @param {string} text RFC 3339 time or ISO 8601 day @param {string} language @param {Date} now
 */
export function formatAgo(text, language, now) {
  const then = new Date(text.slice(0, 10));
  if (Number.isNaN(then.getTime())) return null;
  const days = Math.max(0, Math.round((Date.parse(now.toISOString().slice(0, 10)) - then.getTime()) / DAY));
  const months = Math.floor(days / 30.44);
  if (days < 31) return ago(days, 'day', language);
  return months < 12 ? ago(months, 'month', language) : ago(Math.floor(days / 365.25), 'year', language);
}

const UNITS = [['Y', 'year'], ['M', 'month'], ['W', 'week'], ['D', 'day']];
const TIME_UNITS = [['H', 'hour'], ['M', 'minute'], ['S', 'second']];

/**
 * An ISO 8601 duration in words, «1 year, 6 months»; null for any other text.
 * @param {string} text @param {string} language
 */
export function formatDuration(text, language) {
  const found = /^P((?:\d+[YMWD])*)(?:T((?:\d+[HMS])+))?$/.exec(text);
  if (!found || text === 'P') return null;
  const parts = [...read(found[1] ?? '', UNITS, language), ...read(found[2] ?? '', TIME_UNITS, language)];
  return parts.length
    ? new Intl.ListFormat(locale(language), { style: 'narrow', type: 'unit' }).format(parts) : null;
}

/** @param {string} text @param {string[][]} units @param {string} language */
function read(text, units, language) {
  return [...text.matchAll(/(\d+)([A-Z])/g)].map(([, number, letter]) => {
    const unit = units.find(([symbol]) => symbol === letter)?.[1] ?? 'day';
    return new Intl.NumberFormat(locale(language), { style: 'unit', unit, unitDisplay: 'long' })
      .format(Number(number));
  });
}

/**
 * «32.64790, -16.90870»: latitude first, as people write coordinates.
 * @param {number} longitude @param {number} latitude @param {number} [digits]
 */
export function formatPosition(longitude, latitude, digits = 5) {
  return `${latitude.toFixed(digits)}, ${longitude.toFixed(digits)}`;
}

/**
 * The name of a country.
 * @param {string} code ISO 3166-1 alpha-2 @param {string} language
 */
export function formatCountry(code, language) {
  try {
    return new Intl.DisplayNames([locale(language)], { type: 'region' }).of(code) ?? code;
  } catch {
    return code; // not a code
  }
}

/**
 * A percentage, «33 %».
 * @param {number | null} share 0 to 1; null: unknown @param {string} language
 */
export function formatShare(share, language) {
  if (share === null) return '–';
  const percent = (/** @type {number} */ part, digits = 0) => (
    new Intl.NumberFormat(locale(language), { style: 'percent', maximumFractionDigits: digits }).format(part));
  // A share above 0 must not read as 0 %, and a share below 1 must not read as 100 %.
  if (share > 0 && share < 0.001) return `<${percent(0.001, 1)}`;
  if (share < 1 && share > 0.999) return `>${percent(0.999, 1)}`;
  const isEdge = (share > 0 && share < 0.01) || (share < 1 && share > 0.99);
  return percent(share, isEdge ? 1 : 0);
}

/**
 * A density or size with three significant digits.
 * @param {number} number @param {string} language
 */
export function formatMeasure(number, language) {
  const digits = number >= 1_000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 };
  return new Intl.NumberFormat(locale(language), digits).format(number);
}

/**
 * «a, b and c».
 * @param {string[]} words @param {string} language
 */
export function formatList(words, language) {
  return new Intl.ListFormat(locale(language), { type: 'conjunction' }).format(words);
}

const WINDS = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'];

/**
 * The compass point nearest to a bearing: one of eight names.
 * @param {number} bearing degrees
 */
export function wind(bearing) {
  return WINDS[Math.round((((bearing % 360) + 360) % 360) / 45) % 8];
}
