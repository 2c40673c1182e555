// @ts-check
// All facts about a device, by section. An unknown fact is shown as unknown.

import { h, icon } from '../dom.js';
import { formatDate, formatDay, formatPosition } from '../format.js';
import { definitionButton, termButton } from '../glossary/definition.js';
import { language, translate } from '../i18n.js';
import { safeLink } from '../links.js';
import { number, text, texts } from './device.js';
import { operatorName } from './operator-name.js';
import { propertiesOf } from './properties.js';
import { statusBadge } from './terms.js';
import { amountWords, bearingWords, durationWords } from './value-words.js';

/** @typedef {import('./device.js').Device} Device */
/** @typedef {Node | string | null} Value null: unknown */
/** @typedef {{field: string, value: Value}} Fact */
/** @typedef {{title: string, facts: Fact[], more?: Node | null, id: string}} Section */

/** @param {Device} device @param {string} field @param {string} schemeName @returns {Fact} */
function codes(device, field, schemeName) {
  const found = texts(device.properties[field]);
  const value = found.length ? h('span', { class: 'chips' },
    ...found.map((code) => termButton(schemeName, code, 'chip chip-data')), assumedMark(device, field)) : null;
  return { field, value };
}

/** @param {Device} device @param {string} field @param {string} schemeName @returns {Fact} */
function code(device, field, schemeName) {
  const found = text(device.properties[field]);
  return {
    field, value: found ? h('span', {}, termButton(schemeName, found), assumedMark(device, field)) : null,
  };
}

/** @param {Device} device @param {string} field */
function assumedMark(device, field) {
  return device.assumed.has(field)
    ? definitionButton(translate('device.assumed'),
      { title: translate('device.assumed'), text: translate('device.assumed.why') }, 'assumed') : null;
}

/**
 * A contact or a URL, as a link if it is safe.
 * @param {string | null} value
 */
function link(value) {
  const href = safeLink(value);
  if (!value || !href) return value;
  return h('a', { href, rel: 'noopener noreferrer nofollow', target: href.startsWith('http') ? '_blank' : null },
    value, href.startsWith('http') && icon('external'));
}

/**
 * Text linked to a URL, if the URL is safe.
 * @param {string} words @param {string | null} address
 */
function linked(words, address) {
  const href = safeLink(address);
  return href
    ? h('a', { href, rel: 'noopener noreferrer nofollow', target: '_blank' }, words, icon('external'))
    : words;
}

/**
 * Tags of the source that have no field in Farol.
 * @param {Record<string, unknown> | null | undefined} value
 * @returns {Node | null}
 */
function tags(value) {
  const pairs = Object.entries(value ?? {}).filter(([, content]) => text(content));
  return pairs.length
    ? h('ul', {}, ...pairs.map(([key, content]) => h('li', {}, h('code', {}, `${key}=${content}`))))
    : null;
}

/**
 * Words with a mark if the value is assumed.
 * @param {Device} device @param {string} field @param {string | null} words @returns {Value}
 */
function marked(device, field, words) {
  const mark = words === null ? null : assumedMark(device, field);
  return mark ? h('span', {}, words, mark) : words;
}

/**
 * The facts of a section, from the table of properties.
 * @param {Device} device @param {string} section @returns {Fact[]}
 */
function facts(device, section) {
  return propertiesOf(section).flatMap((property) => {
    const { name: field, kind, scheme = '' } = property;
    if (kind === 'own' || field === 'name') return [];
    if (kind === 'code') return [code(device, field, scheme)];
    if (kind === 'codes') return [codes(device, field, scheme)];
    return [{ field, value: marked(device, field, words(device, property)) }];
  });
}

/** @param {Device} device @param {import('./properties.js').Property} property @returns {string | null} */
function words({ properties, bearings }, { name, kind, unit }) {
  const value = properties[name];
  const count = number(value);
  const written = text(value);
  switch (kind) {
    case 'number': return count === null ? null : amountWords(count, unit);
    case 'date': return formatDate(written, language());
    case 'duration': return written === null || written === 'unknown' ? null : durationWords(written);
    case 'bearings': return bearings.length ? bearings.map(bearingWords).join(', ') : null;
    default: return written ?? (count === null ? null : String(count));
  }
}

/**
 * All sections of the page of a device.
 * @param {Device} device
 * @returns {Section[]}
 */
export function sections(device) {
  return [
    { id: 'what', title: 'device.what', facts: facts(device, 'what') },
    { id: 'why', title: 'device.why', facts: facts(device, 'why') },
    who(device), { id: 'can', title: 'device.can', facts: [] }, sure(device), where(device), thing(device),
    record(device),
  ];
}

/** @param {Device} device @returns {Section} */
function who({ operator, category }) {
  const kind = operator.kind && operator.kind !== 'unknown' ? termButton('operator_kinds', operator.kind) : null;
  /** @type {Fact[]} */
  const kinds = [{ field: 'operator_kind', value: kind }];
  if (operator.kind === 'household') return { id: 'who', title: 'device.who', facts: kinds };
  return {
    id: 'who', title: 'device.who',
    facts: [
      { field: 'operator', value: operator.name && operatorName(operator.name, category) }, ...kinds,
      { field: 'contact', value: link(operator.contact) },
      { field: 'privacy_policy', value: link(operator.privacyPolicy) },
      { field: 'data_protection_contact', value: link(operator.dataProtectionContact) },
    ],
  };
}

/** @param {Device} device @returns {Section} */
function sure(device) {
  const freshness = text(device.properties.freshness);
  return {
    id: 'sure', title: 'device.sure',
    facts: [
      { field: 'status', value: statusBadge(device.status, true) },
      { field: 'last_confirmed', value: formatDay(device.lastConfirmed, language()) ?? translate('never') },
      ...(freshness ? [{ field: 'freshness', value: termButton('freshness', freshness) }] : []),
      { field: 'observed_on', value: formatDay(text(device.properties.observed_on), language()) },
      { field: 'stale_on', value: formatDay(text(device.properties.stale_on), language()) },
    ],
  };
}

/** @param {string} code ISO 3166-1 alpha-2 */
export function countryName(code) {
  try {
    return new Intl.DisplayNames([language()], { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/**
 * Country of the device, with a note if it may be the neighbouring country.
 * @param {Device} device
 */
function country({ properties }) {
  const name = countryName(/** @type {string} */ (properties.country));
  return properties.country_uncertain === true ? translate('country.uncertain', { country: name }) : name;
}

/** @param {Device} device @returns {Section} */
function where(device) {
  const coarse = device.precision && device.precision !== 'exact';
  return {
    id: 'where', title: 'device.where',
    facts: [
      { field: 'position', value: formatPosition(device.position[0], device.position[1], coarse ? 3 : 5) },
      { field: 'precision', value: device.precision && termButton('precisions', device.precision) },
      ...(device.properties.approximate === true ? [{ field: 'approximate', value: translate('approximate') }] : []),
      ...(text(device.properties.country) ? [{ field: 'country', value: country(device) }] : []),
      ...facts(device, 'where'),
    ],
    more: coarse ? h('p', { class: 'section-note' }, translate('precision.circle')) : null,
  };
}

/** @param {Device} device @returns {Section} */
function thing(device) {
  return {
    id: 'thing', title: 'device.thing',
    facts: [{ field: 'category', value: termButton('categories', device.category) }, ...facts(device, 'thing')],
  };
}

/** @param {Device} device @returns {Section} */
function record(device) {
  const { properties } = device;
  const source = properties.source;
  const name = text(source) ?? text(source?.name);
  const licence = text(properties.licence) ?? text(source?.licence);
  const attribution = text(properties.attribution) ?? text(source?.attribution);
  const elsewhere = references(properties.refs);
  const notes = tags(properties.tags);
  /** @type {Fact[]} */
  const entries = [
    { field: 'source', value: name && linked(name, text(source?.url)) },
    { field: 'licence', value: licence },
    ...(attribution ? [{ field: 'attribution', value: attribution }] : []),
    ...(elsewhere ? [{ field: 'refs', value: elsewhere }] : []),
    ...(notes ? [{ field: 'tags', value: notes }] : []),
    { field: 'created_at', value: formatDay(device.createdAt, language()) },
    { field: 'updated_at', value: formatDay(device.updatedAt, language()) },
    { field: 'id', value: h('code', {}, device.id) },
  ];
  return { id: 'record', title: 'device.record', facts: entries };
}

/**
 * Ids of the device in other registers. An OpenStreetMap element becomes a link.
 * @param {any} refs @returns {Node | null}
 */
function references(refs) {
  const list = Array.isArray(refs) ? refs : Object.entries(refs ?? {})
    .flatMap(([type, ids]) => texts(ids).map((id) => ({ type, id })));
  const rows = list.flatMap((ref) => {
    const type = text(ref?.type) ?? text(ref?.namespace) ?? '';
    const id = text(ref?.id) ?? text(ref?.key) ?? text(ref);
    if (!id) return [];
    if (type === 'osm' && /^(node|way|relation)\/\d+$/.test(id)) {
      return [
        h('li', {},
          h('a', { href: `https://www.openstreetmap.org/${id}`, rel: 'noopener noreferrer', target: '_blank' },
            `OpenStreetMap ${id}`, icon('external'))),
      ];
    }
    return [h('li', {}, [type, id].filter(Boolean).join(' '))];
  });
  return rows.length ? h('ul', {}, ...rows) : null;
}
