// @ts-check
// The properties that a query may name: their kinds, names and codes.

import { getJSON } from '../api.js';
import { fieldName, VALUE_SCHEMES } from '../devices/value-words.js';
import { propertyNamed } from '../devices/properties.js';
import { FACETS } from '../filters/facets.js';
import { formatCountry } from '../format.js';
import { language, translate } from '../i18n.js';
import { allTerms, label, scheme } from '../taxonomies.js';

/** @typedef {import('./conditions.js').Kind} Kind */
/** @typedef {{type?: string, format?: string}} Queryable a member of the document of queryables */

/** The first properties of the list. The others follow in the order of their names. */
const FIRST = Object.freeze(['category', 'geometry', 'operator', 'data_collected', 'status', 'last_confirmed']);

/** @type {Map<string, Kind>} */
const kinds = new Map();
/** @type {string[]} codes of countries with devices */
let countries = [];

/** Loads the properties, and the terms and countries that are their values. */
export async function loadProperties() {
  const [{ properties }, counted] = await Promise.all([
    getJSON('/api/collections/devices/queryables'),
    getJSON('/api/statistics?group_by=country&limit=300').catch(() => ({ groups: [] })),
    ...VALUE_SCHEMES.map((name) => scheme(name).catch(() => null)),
  ]);
  countries = counted.groups.map((/** @type {{country: string | null}} */ group) => group.country).filter(Boolean);
  for (const [name, queryable] of Object.entries(properties)) kinds.set(name, kindOfQueryable(name, queryable));
}

/** @param {string} name @param {Queryable} queryable @returns {Kind} */
function kindOfQueryable(name, { type, format = '' }) {
  if (format.startsWith('geometry')) return 'area';
  if (type === 'array') return 'codes';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'flag';
  if (format.startsWith('date')) return 'date';
  return name === 'country' || schemeOfProperty(name) ? 'code' : 'text';
}

/** @param {string} name */
export const kindOf = (name) => kinds.get(name);

/** @param {string} name */
function schemeOfProperty(name) {
  return propertyNamed(name)?.scheme ?? FACETS.find((facet) => facet.name === name)?.scheme;
}

/** @param {string} name */
export function nameOf(name) { return name === 'geometry' ? translate('query.area') : fieldName(name); }

/** The properties with their names, the usual ones first. */
export function listed() {
  const others = [...kinds.keys()].filter((name) => !FIRST.includes(name))
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b), language()));
  return [...FIRST.filter((name) => kinds.has(name)), ...others];
}

/**
 * The codes of a property with their labels.
 * @param {string} name @returns {{code: string, text: string}[]}
 */
export function codesOf(name) {
  if (name === 'country') {
    return countries.map((code) => ({ code, text: formatCountry(code, language()) }))
      .sort((a, b) => a.text.localeCompare(b.text, language()));
  }
  const codes = allTerms(schemeOfProperty(name) ?? '')?.keys() ?? [];
  return [...codes].map((code) => ({ code, text: codeText(name, code) }));
}

/** @param {string} name @param {string} code */
export function codeText(name, code) {
  return name === 'country' ? formatCountry(code, language()) : label(schemeOfProperty(name) ?? name, code);
}
