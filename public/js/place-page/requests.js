// @ts-check
// The requests of the page of a place, and what is read from their responses. Pure.

/** @typedef {import('../types').Place} Place */
/** @typedef {import('../statistics/figures.js').Answer} Answer */
/** @typedef {import('../statistics/figures.js').AreaFigures} AreaFigures */
/**
 * @typedef {Place & {border: {square_kilometres: number | null, attribution: string, date: string | null} | null,
 *   parts: Place[], neighbours: Place[]}} Details
 */

/** Groups that a list of the page shows. */
export const GROUPS = 10;
const STATISTICS = '/api/statistics';

/**
 * The figures of a place by a property.
 * @param {string} id @param {string} property
 */
export function groupsPath(id, property) { return `${STATISTICS}?place=${id}&group_by=${property}&limit=200`; }

/** @param {string} id */
export function growthPath(id) { return `${STATISTICS}?place=${id}&interval=year`; }

/**
 * The figures of places next to each other.
 * @param {string[]} ids
 */
export function comparisonPath(ids) {
  return `${STATISTICS}?${ids.map((id) => `compare=place:${id}`).join('&')}`;
}

/**
 * Places with their figures, those with the most devices first.
 * @param {Place[]} places @param {AreaFigures[]} areas
 * @returns {{place: Place, figures: AreaFigures}[]}
 */
export function compared(places, areas) {
  const known = new Map(areas.map((area) => [area.area, area]));
  return places.flatMap((place) => {
    const figures = known.get(`place:${place.id}`);
    return figures ? [{ place, figures }] : [];
  }).sort((one, other) => other.figures.total - one.figures.total);
}

/**
 * Gaps of the map here: the number of devices without each fact, the largest first.
 * @param {Answer} categories @param {Answer} ages figures by freshness
 * @returns {{name: 'operator' | 'retention' | 'stale', count: number}[]}
 */
export function missing(categories, ages) {
  const { total, headline } = categories;
  const stale = ages.groups.filter((group) => group.freshness !== 'fresh').reduce((sum, { count }) => sum + count, 0);
  /** @type {{name: 'operator' | 'retention' | 'stale', count: number}[]} */
  const all = [
    { name: 'operator', count: total - headline.operator_known.count },
    { name: 'retention', count: total - headline.retention_known.count }, { name: 'stale', count: stale },
  ];
  return all.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
}

/**
 * The published outcomes of requests to the operators of a place, in the order of their devices.
 * @template {{name: string}} Outcome
 * @param {Answer} operators figures by operator @param {Outcome[]} outcomes
 * @returns {Outcome[]}
 */
export function answersHere(operators, outcomes) {
  const known = new Map(outcomes.map((outcome) => [outcome.name, outcome]));
  return operators.groups.flatMap(({ operator }) => known.get(operator) ?? []);
}

/**
 * A sentence that cites the figure.
 * @param {{name: string, total: string, site: string, url: string, day: string}} values
 * @param {(key: string, values: Record<string, string>) => string} translate
 */
export function citation(values, translate) { return translate('place.citation', values); }
