// @ts-check
// Short text for any value of any field, for histories, merges and rows of a form. Null for an
// unknown value.

import { formatDate, formatDay, formatDuration, formatList, formatNumber, formatPosition, wind } from '../format.js';
import { has, language, plural, translate } from '../i18n.js';
import { label } from '../taxonomies.js';
import { PROPERTIES, propertyNamed } from './properties.js';

/** @typedef {import('../types').OfferedChoice} OfferedChoice */

/**
 * Fields whose values are codes, and the taxonomy with their labels.
 * @type {Record<string, string>}
 */
const TERMS = {
  status: 'statuses', 'operator.kind': 'operator_kinds',
  ...Object.fromEntries(PROPERTIES.flatMap(({ name, scheme }) => (scheme ? [[name, scheme]] : []))),
};

/** Taxonomies needed to label the values. */
export const VALUE_SCHEMES = Object.freeze([...new Set(Object.values(TERMS)), 'choices']);

/** Fields with free text. */
const WRITTEN = [
  ...PROPERTIES.flatMap(({ name, kind }) => (kind === 'text' ? [name] : [])),
  'operator.name', 'operator.contact', 'operator.privacy_policy', 'operator.data_protection_contact',
];

/**
 * Whether a value is free text, which can have either text direction.
 * @param {string} field
 */
export const isWritten = (field) => WRITTEN.includes(field);

/**
 * A number with its unit.
 * @param {number} count @param {string} [unit]
 */
export function amountWords(count, unit) {
  const number = formatNumber(count, language());
  return unit ? translate(unit, { count: number }) : number;
}

/** @param {string} value ISO 8601 duration, `none` or `indefinite` */
export function durationWords(value) {
  return has(`retention.${value}`) ? translate(`retention.${value}`) : formatDuration(value, language()) ?? value;
}

/** @param {number} degrees clockwise from north */
export function bearingWords(degrees) {
  return translate('bearing', { degrees: String(Math.round(degrees)), wind: translate(`wind.${wind(degrees)}`) });
}

/**
 * Full name of a field, used where no heading gives the context.
 * @param {string} field for example `operator.name` for a part of the operator
 */
export function fieldName(field) {
  const key = field.replace('.', '_');
  return has(`said.${key}`)
    ? translate(`said.${key}`)
    : has(`field.${field}`) ? translate(`field.${field}`) : field.replace(/[._]/g, ' ');
}

/**
 * @param {string} field @param {any} value
 * @returns {string | null} null: unknown
 */
export function valueWords(field, value) {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length)) return null;
  if (TERMS[field]) return terms(TERMS[field], value);
  const property = propertyNamed(field);
  switch (property?.kind) {
    case 'duration': return durationWords(String(value));
    case 'bearings': return formatList([value].flat().map((one) => bearingWords(Number(one))), language());
    case 'number': return amountWords(Number(value), property.unit);
    case 'date': return formatDate(String(value), language()) ?? String(value);
  }
  switch (field) {
    case 'place': return Array.isArray(value) ? formatPosition(Number(value[0]), Number(value[1])) : String(value);
    case 'operator': return operator(value);
    case 'choices': return [value].flat().map(choice).join('; ');
    case 'assumed': return formatList([value].flat().map((one) => fieldName(String(one))), language());
    case 'photos': return photos([value].flat());
    case 'approximate': return value === true ? translate('approximate') : null;
    case 'stale_on': case 'last_confirmed': case 'created_at': case 'updated_at':
      return formatDay(String(value), language()) ?? String(value);
    default: return anything(value);
  }
}

/** @param {string} scheme @param {unknown} value */
function terms(scheme, value) {
  return formatList([value].flat().map((code) => label(scheme, String(code))), language());
}

/** @param {any} value */
function operator(value) {
  if (typeof value !== 'object') return String(value);
  const kind = value.kind && value.kind !== 'unknown' ? label('operator_kinds', String(value.kind)) : null;
  const contacts = [value.contact, value.privacy_policy, value.data_protection_contact].filter(Boolean).map(String);
  return [...[value.name, kind].filter(Boolean).map(String), ...contacts].join(' · ') || null;
}

/** @param {OfferedChoice | string | null} offered */
function choice(offered) {
  if (typeof offered !== 'object' || offered === null) return label('choices', String(offered));
  const channel = offered.channel
    && (has(`channel.${offered.channel}`) ? translate(`channel.${offered.channel}`) : String(offered.channel));
  const days = typeof offered.deadline_days === 'number' ? plural('choice.deadline', offered.deadline_days) : null;
  const how = [channel, offered.target, offered.instructions, days].filter(Boolean).join(', ');
  const kind = label('choices', String(offered.kind));
  return how ? `${kind} (${how})` : kind;
}

/** @param {({alt?: string} | null)[]} list */
function photos(list) {
  const words = list.map((photo, index) => `${index + 1}: ${photo?.alt || translate('photos.no_alt')}`);
  return `${plural('photos.count', list.length)} – ${words.join('; ')}`;
}

/** @param {unknown} value @returns {string} */
function anything(value) {
  if (Array.isArray(value)) return value.map(anything).join(', ');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).map(([name, part]) => `${name}: ${anything(part)}`).join(', ');
  }
  return String(value);
}
