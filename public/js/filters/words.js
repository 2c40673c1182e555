// @ts-check
// Filters in words.

import { formatCountry } from '../format.js';
import { language } from '../i18n.js';
import { label } from '../taxonomies.js';
import { hasScheme, NAMED, schemeOf } from './facets.js';

/**
 * A filter value in words. Without a vocabulary, the name of the parameter says what it is.
 * @param {string} name @param {string} value
 */
export function filterLabel(name, value) {
  if (name === 'country') return formatCountry(value, language());
  if (name === 'q') return `“${value}”`;
  if (NAMED.includes(name)) return value;
  return hasScheme(name) ? label(schemeOf(name), value) : `${name}: ${value}`;
}

/**
 * The vocabularies that `filterLabel` needs.
 * @param {Record<string, unknown>[]} all
 */
export function schemesOf(all) {
  return [...new Set(all.flatMap((filters) => Object.keys(filters)))].filter(hasScheme).map(schemeOf);
}
