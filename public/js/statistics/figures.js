// @ts-check
// Figures as the interface tells them, made ready for charts and tables. Pure.

/** @typedef {{count: number, share: number | null}} Share */
/** @typedef {{operator_known: Share, retention_known: Share, choice_offered: Share}} Headline */
/**
 * @typedef {object} Figures
 * @property {number} total @property {Headline} headline
 * @property {number | null} square_kilometres @property {number | null} devices_per_square_kilometre
 * @property {any[]} groups @property {{groups: number, count: number} | null} rest @property {any[]} series
 */
/** @typedef {Figures & {area: string, name: string | null}} AreaFigures */
/** @typedef {Figures & {definition: string, generated_at: string, overlapping: string[], areas: AreaFigures[]}} Answer */
/**
 * One bar: a group, what many small ones add up to (`others` of them), or what is not known (`key` null).
 * @typedef {object} Row
 * @property {string | null} key @property {number} count @property {number | null} share of all devices
 * @property {number} [others] how many groups are in it
 */

export const HEADLINE = /** @type {(keyof Headline)[]} */ (['operator_known', 'retention_known', 'choice_offered']);

/**
 * The groups of one property: the largest first, then what was too many to tell, then the unknown.
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
 * So few rows that a chart can hold them: the largest, the others together, the unknown.
 * @param {Row[]} rows @param {number} most known groups
 * @param {boolean} overlap whether a device is in several groups, so that nothing adds up to «others»
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

/** @typedef {{key: string | null, others?: number}} Head of a row or column; `others`: how many small ones are in it */
/** @typedef {{rows: Head[], columns: Head[], cells: number[][]}} Crossing `cells[row][column]` */

/**
 * Two properties crossed: the largest of each, the others of each together, the unknown last.
 * @param {any[]} groups @param {[string, string]} properties
 * @param {number} mostRows @param {number} mostColumns @returns {Crossing}
 */
export function crossing(groups, [first, second], mostRows, mostColumns) {
  const rows = heads(groups, first, mostRows);
  const columns = heads(groups, second, mostColumns);
  const cells = rows.list.map(() => columns.list.map(() => 0));
  for (const group of groups) cells[rows.place(group[first])][columns.place(group[second])] += group.count;
  return { rows: rows.list, columns: columns.list, cells };
}

/** @param {any[]} groups @param {string} property @param {number} most */
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
  const place = (/** @type {string | null} */ key) => (key === null ? list.length - 1 : places.get(key) ?? named.length);
  return { list, place };
}

/**
 * «2026-10» of the rows of a series: what an interval is called in short, so that it sorts.
 * @param {string} start the first day @param {string} interval
 */
export function intervalKey(start, interval) {
  if (interval === 'year') return start.slice(0, 4);
  return interval === 'month' ? start.slice(0, 7) : start;
}

/**
 * Where one looks back to: the view of the map that shows a box.
 * @param {string | null} text «west,south,east,north» @returns {[number, number, number, number] | null}
 */
export function readBox(text) {
  const edges = (text ?? '').split(',').map(Number);
  return edges.length === 4 && edges.every(Number.isFinite) ? /** @type {[number, number, number, number]} */ (edges) : null;
}
