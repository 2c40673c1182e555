// @ts-check
// The state of the map page and its address: filters in the query, the view in the hash.

/** @typedef {import('./types').View} View */
/** @typedef {Record<string, string[]>} Filters the chosen codes of each list, without empty lists */
/**
 * @typedef {object} PageState
 * @property {Filters} filters
 * @property {string} words text that names, operators or descriptions must contain
 * @property {string} [filter] a condition in CQL2, from the query page
 * @property {string | null} device the device whose card is open
 * @property {string | null} spot «west,south,east,north» of devices that share one place
 * @property {View | null} view
 * @property {string | null} place id of the place that the user searched for, which the map outlines
 * @property {'squares' | 'smooth' | null} heat the kind of heat map that replaces the devices on the map
 * @property {string[]} layers further collections that the map also shows
 * @property {string | null} adding the id of the open draft, `new`, or `drafts` for the list of drafts
 */

/**
 * The part of the state that filters need.
 * @typedef {Pick<PageState, 'filters' | 'words' | 'spot' | 'filter'>} Filtered
 */

/**
 * `push` adds an entry to the history of the browser, `replace` does not, `travel` comes from the history.
 * @typedef {'push' | 'replace' | 'travel'} Step
 */
/**
 * @template State
 * @typedef {(state: State, before: State, how: Step) => void} Listener
 */
/**
 * @template State
 * @typedef {object} StoreOf
 * @property {State} current
 * @property {(change: Partial<State>, how: Step) => void} update
 * @property {(listener: Listener<State>) => void} subscribe
 */
/** @typedef {StoreOf<PageState>} Store */
/**
 * The store of any page with filters.
 * @typedef {object} FilterStore
 * @property {Filtered} current
 * @property {(change: Partial<Filtered>, how: Step) => void} update
 * @property {(listener: () => void) => void} subscribe
 */

/** Lists of codes that narrow the map and the list, in the order of the page. */
export const FILTERS = Object.freeze([
  'category', 'data_collected', 'choices', 'operator_kind', 'setting', 'status', 'freshness', 'country',
]);
/** Filters without a list of codes. Each value is a separate parameter, because names may contain commas. */
export const REPEATED = Object.freeze(['operator', 'zone', 'precision', 'legal_basis']);
/** @type {Record<string, 'squares' | 'smooth'>} */
const HEATS = { 1: 'squares', smooth: 'smooth' };
const LONGEST = 200; // characters of a name
const LONGEST_FILTER = 8_192; // bytes that the server accepts in an address
const CODE = /^[A-Za-z0-9_]{1,60}$/;
const LAYER = /^[a-z][a-z0-9-]{0,99}$/;
const MOST_LAYERS = 20; // shown at once
const PLACE = /^\d{1,15}$/;
const IDENTIFIER = /^[0-9a-f-]{36}$/;
const NUMBER = /^-?\d{1,3}(\.\d{1,15})?$/;

/** @returns {PageState} */
export function emptyState() {
  return {
    filters: {}, words: '', filter: '', device: null, spot: null, view: null, place: null, heat: null, layers: [],
    adding: null,
  };
}

/**
 * Reads an address. Ignores parts that are not valid, so that old links still open the page.
 * @param {string} query with or without its question mark
 * @param {string} hash with or without its number sign
 * @returns {PageState}
 */
export function decodeState(query, hash) {
  const parameters = new URLSearchParams(query);
  const state = emptyState();
  for (const name of FILTERS) {
    const codes = parameters.getAll(name).flatMap((value) => value.split(','));
    const kept = [...new Set(codes.filter((code) => CODE.test(code)))];
    if (kept.length) state.filters[name] = kept;
  }
  for (const name of REPEATED) {
    const kept = [...new Set(parameters.getAll(name).filter((value) => value.trim() && value.length <= LONGEST))];
    if (kept.length) state.filters[name] = kept;
  }
  state.words = (parameters.get('q') ?? '').trim().slice(0, LONGEST);
  state.filter = decodeFilter(parameters);
  const device = parameters.get('device') ?? '';
  state.device = IDENTIFIER.test(device) ? device : null;
  const spot = parameters.get('spot') ?? '';
  state.spot = spot.split(',').length === 4 && spot.split(',').every((edge) => NUMBER.test(edge)) ? spot : null;
  const place = parameters.get('place') ?? '';
  state.place = PLACE.test(place) ? place : null;
  const adding = parameters.get('add') ?? '';
  state.adding = ['new', 'drafts'].includes(adding) || IDENTIFIER.test(adding) ? adding : null;
  state.heat = HEATS[parameters.get('heat') ?? ''] ?? null;
  const layers = (parameters.get('layers') ?? '').split(',').filter((name) => LAYER.test(name));
  state.layers = [...new Set(layers)].slice(0, MOST_LAYERS);
  state.view = decodeView(hash);
  return state;
}

/**
 * A condition in CQL2; empty without one, and if the server would refuse its length.
 * @param {URLSearchParams} parameters
 */
export function decodeFilter(parameters) {
  const filter = (parameters.get('filter') ?? '').trim();
  return new TextEncoder().encode(filter).length <= LONGEST_FILTER ? filter : '';
}

/**
 * The address of a state. Equal states have equal addresses.
 * @param {PageState} state
 * @returns {string} «./?category=alpr#map=12.00/32.65000/-16.90000»
 */
export function encodeState(state) {
  const parts = filterParts(state);
  if (state.spot) parts.push(`spot=${state.spot}`);
  if (state.device) parts.push(`device=${state.device}`);
  if (state.place) parts.push(`place=${state.place}`);
  if (state.heat) parts.push(`heat=${state.heat === 'smooth' ? 'smooth' : '1'}`);
  if (state.layers.length) parts.push(`layers=${[...state.layers].sort().join(',')}`);
  if (state.adding) parts.push(`add=${state.adding}`);
  const query = parts.length ? `?${parts.join('&')}` : '';
  const hash = state.view ? `#${encodeView(state.view)}` : '';
  return `./${query}${hash}`; // Only «#…» would keep the previous query.
}

/**
 * The filters as parts of a query, in a fixed order.
 * @param {Filtered} state @returns {string[]} «category=alpr,webcam», «operator=Acme+Ltd»
 */
export function filterParts({ filters, words, filter }) {
  const parts = FILTERS.flatMap((name) => {
    const codes = filters[name] ?? [];
    return codes.length ? [`${name}=${[...codes].sort().join(',')}`] : [];
  });
  for (const name of REPEATED) {
    for (const value of [...filters[name] ?? []].sort()) parts.push(`${name}=${written(value)}`);
  }
  if (words) parts.push(`q=${written(words)}`);
  if (filter) parts.push(`filter=${written(filter)}`);
  return parts;
}

/** @param {string} text */
function written(text) { return encodeURIComponent(text).replace(/%20/g, '+'); }

/**
 * «map=zoom/latitude/longitude», as in other maps, to about a metre.
 * @param {View} view
 */
export function encodeView(view) {
  const digits = Math.max(2, Math.min(6, Math.ceil(view.zoom / 3) + 1));
  return `map=${view.zoom.toFixed(2)}/${view.latitude.toFixed(digits)}/${view.longitude.toFixed(digits)}`;
}

/** @param {string} hash @returns {View | null} */
export function decodeView(hash) {
  const value = new URLSearchParams(hash.replace(/^#/, '')).get('map') ?? '';
  const parts = value.split('/');
  if (parts.length < 3 || !parts.slice(0, 3).every((part) => NUMBER.test(part))) return null;
  const [zoom, latitude, longitude] = parts.map(Number);
  if (zoom < 0 || zoom > 24 || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return { longitude, latitude, zoom };
}

/**
 * The filters as parameters of the interface, for tiles and items.
 * @param {Filtered} state
 * @returns {URLSearchParams}
 */
export function filterParameters({ filters, words, filter }) {
  const parameters = new URLSearchParams();
  for (const name of FILTERS) {
    const codes = filters[name] ?? [];
    if (codes.length) parameters.set(name, [...codes].sort().join(','));
  }
  for (const name of REPEATED) for (const value of [...filters[name] ?? []].sort()) parameters.append(name, value);
  if (words) parameters.set('q', words);
  if (filter) parameters.set('filter', filter);
  return parameters;
}

/**
 * The filters with one code added or removed.
 * @param {Filters} filters @param {string} name @param {string} code
 * @returns {Filters}
 */
export function toggled(filters, name, code) {
  const codes = filters[name] ?? [];
  const next = codes.includes(code) ? codes.filter((other) => other !== code) : [...codes, code];
  const { [name]: _, ...rest } = filters;
  return next.length ? { ...rest, [name]: next } : rest;
}

/**
 * The number of filters, including the words and the condition.
 * @param {Filtered} state
 */
export function filterCount(state) {
  const codes = Object.values(state.filters).reduce((sum, list) => sum + list.length, 0);
  return codes + (state.words ? 1 : 0) + (state.filter ? 1 : 0);
}

/**
 * Holds the state of a page and calls the listeners after each change.
 * @template State
 * @param {State} initial
 * @returns {StoreOf<State>}
 */
export function createStore(initial) {
  let state = initial;
  /** @type {Listener<State>[]} */
  const listeners = [];
  return {
    get current() { return state; },
    update(change, how) {
      const before = state;
      state = { ...state, ...change };
      for (const listener of listeners) listener(state, before, how);
    },
    subscribe(listener) { listeners.push(listener); },
  };
}

/**
 * Whether two states have the same filters, regardless of the view.
 * @param {PageState} a @param {PageState} b
 */
export function sameFilters(a, b) {
  return filterParameters(a).toString() === filterParameters(b).toString() && a.spot === b.spot;
}
