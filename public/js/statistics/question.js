// @ts-check
// The question of the statistics page: its address, and the requests that answer it. Pure functions.

import { decodeState, filterParts, FILTERS, filterParameters, REPEATED } from '../state.js';

/** @typedef {import('../state.js').Filters} Filters */
/**
 * @typedef {object} Question
 * @property {Filters} filters as on the map; `country` is part of the area
 * @property {string} words
 * @property {string} [filter] a condition in CQL2, from the query page
 * @property {string | null} spot used by the map only; always null here
 * @property {string | null} box «west,south,east,north»
 * @property {string | null} place id of a place
 * @property {string[]} charts properties, one chart each
 * @property {[string, string]} cross the two properties of the cross-tabulation
 * @property {string} interval
 * @property {string | null} from first day
 * @property {string | null} to last day
 * @property {string[]} compare areas to compare: «place:2267057», «country:PT»
 * @property {string} measure figure to draw in the comparison
 */

/** The properties to group by, in the order of the list. */
export const PROPERTIES = Object.freeze([
  'category', 'data_collected', 'operator', 'operator_kind', 'setting', 'zone', 'status', 'precision', 'choices',
  'legal_basis', 'freshness', 'source', 'country',
]);
const USUAL_CHARTS = Object.freeze(['category', 'data_collected', 'operator', 'choices']);
const USUAL_CROSS = /** @type {[string, string]} */ (['category', 'operator_kind']);
export const INTERVALS = Object.freeze(['day', 'week', 'month', 'year']);
const USUAL_INTERVAL = 'month';
export const MEASURES = Object.freeze(['shares', 'total', 'density']);
export const MOST_AREAS = 12;

const BOX = /^-?\d{1,3}(\.\d{1,15})?(,-?\d{1,3}(\.\d{1,15})?){3}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const AREA = /^(place:\d{1,15}|country:[A-Z]{2})$/;

/** @returns {Question} */
export function emptyQuestion() {
  return {
    filters: {}, words: '', filter: '', spot: null, box: null, place: null, charts: [...USUAL_CHARTS],
    cross: USUAL_CROSS, interval: USUAL_INTERVAL, from: null, to: null, compare: [], measure: MEASURES[0],
  };
}

/**
 * Reads an address. Invalid parts are ignored, so that the rest of a link still works.
 * @param {string} query with or without the question mark @returns {Question}
 */
export function decodeQuestion(query) {
  const parameters = new URLSearchParams(query);
  const { filters, words, filter } = decodeState(query, '');
  const usual = emptyQuestion();
  const charts = listOf(parameters, 'charts').filter((name) => PROPERTIES.includes(name));
  const [first, second] = listOf(parameters, 'cross');
  return {
    ...usual, filters, words, filter,
    box: matching(parameters, 'bbox', BOX), place: matching(parameters, 'place', /^\d{1,15}$/),
    charts: parameters.has('charts') ? charts : usual.charts,
    cross: first !== second && PROPERTIES.includes(first) && PROPERTIES.includes(second)
      ? [first, second]
      : usual.cross,
    interval: oneOf(parameters.get('interval'), INTERVALS) ?? usual.interval,
    from: matching(parameters, 'from', DAY), to: matching(parameters, 'to', DAY),
    compare: [...new Set(parameters.getAll('compare').filter((area) => AREA.test(area)))].slice(0, MOST_AREAS),
    measure: oneOf(parameters.get('measure'), MEASURES) ?? usual.measure,
  };
}

/** @param {URLSearchParams} parameters @param {string} name */
function listOf(parameters, name) {
  return [...new Set((parameters.get(name) ?? '').split(',').filter(Boolean))];
}

/** @param {URLSearchParams} parameters @param {string} name @param {RegExp} form */
function matching(parameters, name, form) {
  const value = parameters.get(name) ?? '';
  return form.test(value) ? value : null;
}

/** @param {string | null} value @param {readonly string[]} values */
function oneOf(value, values) {
  return value !== null && values.includes(value) ? value : null;
}

/**
 * The address of a question. The same question always has the same address; default values are omitted.
 * @param {Question} question @returns {string} «/statistics?place=2267057&category=alpr»
 */
export function encodeQuestion(question) {
  const usual = emptyQuestion();
  const parts = [...areaParts(question), ...filterParts(question)];
  if (question.charts.join() !== usual.charts.join()) parts.push(`charts=${question.charts.join(',')}`);
  if (question.cross.join() !== usual.cross.join()) parts.push(`cross=${question.cross.join(',')}`);
  if (question.interval !== usual.interval) parts.push(`interval=${question.interval}`);
  if (question.from) parts.push(`from=${question.from}`);
  if (question.to) parts.push(`to=${question.to}`);
  parts.push(...question.compare.map((area) => `compare=${area}`));
  if (question.measure !== usual.measure) parts.push(`measure=${question.measure}`);
  return parts.length ? `/statistics?${parts.join('&')}` : '/statistics';
}

/** @param {Question} question */
function areaParts({ box, place }) {
  return [...(box ? [`bbox=${box}`] : []), ...(place ? [`place=${place}`] : [])];
}

/**
 * The parameters that select the devices in the API.
 * @param {Question} question @returns {URLSearchParams}
 */
export function deviceParameters(question) {
  const parameters = filterParameters(question);
  if (question.box) parameters.set('bbox', question.box);
  if (question.place) parameters.set('place', question.place);
  return parameters;
}

/** @param {URLSearchParams} parameters @param {Record<string, string | number | null>} more */
function path(parameters, more) {
  for (const [name, value] of Object.entries(more)) if (value !== null) parameters.set(name, String(value));
  const query = parameters.toString();
  return query ? `/api/statistics?${query}` : '/api/statistics';
}

/**
 * The path of the total and the headline figures.
 * @param {Question} question
 */
export function wholePath(question) { return path(deviceParameters(question), {}); }

/**
 * The path of the devices by one property, or by two.
 * @param {Question} question @param {string[]} properties @param {number} limit groups
 */
export function groupsPath(question, properties, limit) {
  return path(deviceParameters(question), { group_by: properties.join(','), limit });
}

/**
 * The path of the devices over time.
 * @param {Question} question
 */
export function seriesPath(question) {
  return path(deviceParameters(question), { interval: question.interval, from: question.from, to: question.to });
}

/**
 * The areas to compare: the area of the page, if it has one, and the added areas.
 * @param {Question} question @returns {string[]} empty if no area was added
 */
export function comparedAreas(question) {
  const { compare } = question;
  if (!compare.length) return [];
  return [
    ...ownAreas(question).filter((area) => !compare.includes(area)).slice(0, MOST_AREAS - compare.length), ...compare,
  ];
}

/**
 * The area of the question, if it can be compared. A bounding box or a combination of two areas cannot.
 * @param {Question} question
 * @returns {string[]}
 */
function ownAreas({ box, place, filters }) {
  const countries = (filters.country ?? []).map((code) => `country:${code}`);
  if (box || place && countries.length) return [];
  return (place ? [`place:${place}`] : countries).filter((area) => AREA.test(area));
}

/**
 * The path of a comparison. It uses only the filters: the comparison areas replace the area of the page.
 * @param {Question} question
 */
export function comparisonPath(question) {
  const { country: _, ...filters } = question.filters;
  const parameters = filterParameters({ ...question, filters });
  for (const area of comparedAreas(question)) parameters.append('compare', area);
  return path(parameters, {});
}

/**
 * The path of the same figures as a table, with every group.
 * @param {string} address @param {'csv' | 'xlsx'} format
 */
export function tablePath(address, format = 'csv') {
  const [start, query = ''] = address.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('f', format);
  if (parameters.has('limit')) parameters.set('limit', '10000');
  return `${start}?${parameters}`;
}

/**
 * The filter for one group of a property; null if no filter selects it.
 * @param {string} property @param {string | null} key
 */
function narrowing(property, key) {
  if (property === 'source') return null;
  if (key === null) return null;
  return FILTERS.includes(property) || REPEATED.includes(property) ? { name: property, value: key } : null;
}

/**
 * The question filtered by one group, which replaces other values of the same filter.
 * @param {Question} question @param {string} property @param {string | null} key
 * @returns {Question | null} null if there is no such filter, or the question already has it
 */
export function narrowed(question, property, key) {
  const to = narrowing(property, key);
  if (!to) return null;
  const now = question.filters[to.name] ?? [];
  if (now.length === 1 && now[0] === to.value) return null;
  return { ...question, filters: { ...question.filters, [to.name]: [to.value] } };
}

/**
 * Whether two questions count the same devices.
 * @param {Question} a @param {Question} b
 */
export function sameDevices(a, b) {
  return deviceParameters(a).toString() === deviceParameters(b).toString();
}

/**
 * The address of the statistics for the area of the list: a place, or what is in view.
 * @param {import('../state.js').Filtered} state @param {{place?: string, bbox?: string}} area
 */
export function statisticsAddress({ filters, words, filter }, { place = undefined, bbox = undefined }) {
  return encodeQuestion({ ...emptyQuestion(), filters, words, filter, box: bbox ?? null, place: place ?? null });
}
