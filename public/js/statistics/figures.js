// @ts-check
// Prepares figures from the API for charts and tables. Pure functions.

/** @typedef {{count: number, share: number | null}} Share */
/** @typedef {{operator_known: Share, retention_known: Share, choice_offered: Share}} Headline */
/**
 * One group: its count, and a code for each property that the request groups by.
 * @typedef {{count: number} & Record<string, any>} Group
 */
 /**
 * @typedef {{start: string, end: string, added: number, confirmed: number, removed: number, standing: number}} Step
 */
 /**
 * @typedef {object} Figures
 * @property {number} total @property {Headline} headline
 * @property {number | null} square_kilometres @property {number | null} devices_per_square_kilometre
 * @property {Group[]} groups @property {{groups: number, count: number} | null} rest @property {Step[]} series
 */
/** @typedef {Figures & {area: string, name: string | null}} AreaFigures */
/** @typedef {{definition: string, generated_at: string, overlapping: string[], areas: AreaFigures[]}} Context */
/** @typedef {Figures & Context} Answer */
/**
 * A bar: a group, the sum of several small groups (`others`: their number), or unknown values (`key` null).
 * @typedef {object} Row
 * @property {string | null} key @property {number} count @property {number | null} share of all devices
 * @property {number} [others] number of groups in the sum
 */

export const HEADLINE = /** @type {(keyof Headline)[]} */ (['operator_known', 'retention_known', 'choice_offered']);

/**
 * The groups of one property: the largest first, then the sum of the omitted groups, then unknown values.
 * @param {Answer} answer @param {string} property @returns {Row[]}
 */
export function groupRows({ groups, rest, total }, property) {
  const share = (/** @type {number} */ count) => (total ? count / total : null);
  const rows = groups.map((group) => ({ key: group[property], count: group.count, share: share(group.count) }));
  const known = rows.filter((row) => row.key !== null);
  const others = rest ? [{ key: '', count: rest.count, share: share(rest.count), others: rest.groups }] : [];
  return [...known, ...others, ...rows.filter((row) => row.key === null)];
}

/**
 * Reduces the rows to a number that fits a chart: the largest, the sum of the others, unknown values.
 * @param {Row[]} rows @param {number} most maximum number of known groups
 * @param {boolean} overlap whether a device can be in several groups, so that a sum of groups would be wrong
 * @returns {Row[]}
 */
export function largest(rows, most, overlap) {
  const named = rows.filter((row) => row.key !== null && !row.others);
  const unknown = rows.filter((row) => row.key === null);
  const rest = rows.filter((row) => row.others);
  if (overlap || named.length + rest.length <= most + 1) return rows;
  const small = [...named.slice(most), ...rest];
  const sum = (/** @type {(row: Row) => number} */ of) => small.reduce((total, row) => total + of(row), 0);
  return [...named.slice(0, most), {
    key: '', count: sum((row) => row.count), share: sum((row) => row.share ?? 0), others: sum((row) => row.others ?? 1),
  }, ...unknown];
}

/** @typedef {{key: string | null, others?: number}} Head of a row or column; `others`: number of small groups in it */
/** @typedef {{rows: Head[], columns: Head[], cells: number[][]}} Crossing `cells[row][column]` */

/**
 * A cross-tabulation of two properties: the largest groups of each, the sum of the others, unknown values last.
 * @param {Group[]} groups @param {[string, string]} properties
 * @param {number} mostRows @param {number} mostColumns @returns {Crossing}
 */
export function crossing(groups, [first, second], mostRows, mostColumns) {
  const rows = heads(groups, first, mostRows);
  const columns = heads(groups, second, mostColumns);
  const cells = rows.list.map(() => columns.list.map(() => 0));
  for (const group of groups) cells[rows.place(group[first])][columns.place(group[second])] += group.count;
  return { rows: rows.list, columns: columns.list, cells };
}

/** @param {Group[]} groups @param {string} property @param {number} most */
function heads(groups, property, most) {
  /** @type {Map<string | null, number>} */
  const sums = new Map();
  for (const group of groups) sums.set(group[property], (sums.get(group[property]) ?? 0) + group.count);
  const known = [...sums].filter(([key]) => key !== null).sort((a, b) => b[1] - a[1]).map(([key]) => key);
  const all = known.length <= most + 1;
  const named = all ? known : known.slice(0, most);
  /** @type {Head[]} */
  const list = named.map((key) => ({ key }));
  if (!all) list.push({ key: '', others: known.length - most });
  if (sums.has(null)) list.push({ key: null });
  const places = new Map(named.map((key, place) => [key, place]));
  const place = (/** @type {string | null} */ key) =>
    (key === null ? list.length - 1 : places.get(key) ?? named.length);
  return { list, place };
}

/**
 * The sortable short name of an interval, such as «2026-10».
 * @param {string} start the first day @param {string} interval
 */
export function intervalKey(start, interval) {
  if (interval === 'year') return start.slice(0, 4);
  return interval === 'month' ? start.slice(0, 7) : start;
}

/**
 * The bounding box in a text, from which the page computes the view of the map; null if it is not valid.
 * @param {string | null} text «west,south,east,north» @returns {[number, number, number, number] | null}
 */
export function readBox(text) {
  const edges = (text ?? '').split(',').map(Number);
  return edges.length === 4 && edges.every(Number.isFinite)
    ? /** @type {[number, number, number, number]} */ (edges)
    : null;
}
