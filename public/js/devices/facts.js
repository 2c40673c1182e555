// @ts-check
// All facts about a device, by section. An unknown fact is shown as unknown.

import { h, icon } from '../dom.js';
import { formatDate, formatDay, formatDuration, formatNumber, formatPosition, wind } from '../format.js';
import { definitionButton, termButton } from '../glossary/definition.js';
import { has, language, translate } from '../i18n.js';
import { number, safeLink, text, texts } from './device.js';
import { statusBadge } from './terms.js';

/** @typedef {import('./device.js').Device} Device */
/** @typedef {Node | string | null} Value null: unknown */
/** @typedef {{field: string, value: Value, counts?: boolean}} Fact `counts`: included in the number of known facts */
/** @typedef {{title: string, facts: Fact[], more?: Node | null, id: string}} Section */

/** @param {Device} device @param {string} field @param {string} schemeName @returns {Fact} */
function codes(device, field, schemeName) {
  const found = texts(device.properties[field]);
  const value = found.length ? h('span', { class: 'chips' },
    ...found.map((code) => termButton(schemeName, code, 'chip chip-data')), assumedMark(device, field)) : null;
  return { field, value, counts: true };
}

/** @param {Device} device @param {string} field @param {string} schemeName @returns {Fact} */
function code(device, field, schemeName) {
  const found = text(device.properties[field]);
  return {
    field, value: found ? h('span', {}, termButton(schemeName, found), assumedMark(device, field)) : null, counts: true,
  };
}

/** @param {Device} device @param {string} field @returns {Fact} */
function plain(device, field) {
  return { field, value: text(device.properties[field]), counts: true };
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

/** @param {string | null} value @returns {string | null} */
function retention(value) {
  if (!value || value === 'unknown') return null;
  return has(`retention.${value}`) ? translate(`retention.${value}`) : formatDuration(value, language()) ?? value;
}

/** @param {Device} device */
function bearings(device) {
  const words = device.bearings.map((degrees) => translate('bearing', {
    degrees: String(Math.round(degrees)), wind: translate(`wind.${wind(degrees)}`),
  }));
  return words.length ? h('span', {}, words.join(', '), assumedMark(device, 'bearings')) : null;
}

/**
 * All sections of the page of a device.
 * @param {Device} device
 * @returns {Section[]}
 */
export function sections(device) {
  return [
    what(device), why(device), who(device), { id: 'can', title: 'device.can', facts: [] }, sure(device), where(device),
    thing(device), record(device),
  ];
}

/** @param {Device} device @returns {Section} */
function what(device) {
  return {
    id: 'what', title: 'device.what',
    facts: [
      codes(device, 'data_collected', 'data'), code(device, 'identifiability', 'identifiability'),
      code(device, 'signage', 'signage'),
    ],
  };
}

/** @param {Device} device @returns {Section} */
function why(device) {
  return {
    id: 'why', title: 'device.why',
    facts: [
      codes(device, 'purposes', 'purposes'), code(device, 'legal_basis', 'legal_bases'),
      { field: 'retention', value: retention(text(device.properties.retention)), counts: true },
      code(device, 'processing', 'processing'), code(device, 'storage', 'storage'),
      codes(device, 'shared_with', 'recipients'),
    ],
  };
}

/** @param {Device} device @returns {Section} */
function who({ operator }) {
  const kind = operator.kind && operator.kind !== 'unknown' ? termButton('operator_kinds', operator.kind) : null;
  /** @type {Fact[]} */
  const facts = [{ field: 'operator_kind', value: kind, counts: true }];
  if (operator.kind === 'household') return { id: 'who', title: 'device.who', facts };
  return {
    id: 'who', title: 'device.who',
    facts: [
      { field: 'operator', value: operator.name, counts: true }, ...facts,
      { field: 'contact', value: link(operator.contact), counts: true },
      { field: 'privacy_policy', value: link(operator.privacyPolicy), counts: true },
      { field: 'data_protection_contact', value: link(operator.dataProtectionContact), counts: true },
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
  const { properties } = device;
  const coarse = device.precision && device.precision !== 'exact';
  const height = number(properties.height);
  const view = device.fieldOfView;
  return {
    id: 'where', title: 'device.where',
    facts: [
      { field: 'position', value: formatPosition(device.position[0], device.position[1], coarse ? 3 : 5) },
      { field: 'precision', value: device.precision && termButton('precisions', device.precision) },
      ...(device.properties.approximate === true ? [{ field: 'approximate', value: translate('approximate') }] : []),
      ...(text(device.properties.country) ? [{ field: 'country', value: country(device) }] : []),
      code(device, 'setting', 'settings'), code(device, 'zone', 'zones'),
      {
        field: 'level',
        value: text(properties.level) ?? (number(properties.level) === null ? null : String(properties.level)),
      },
      {
        field: 'height',
        value: height === null ? null : translate('metres', { count: formatNumber(height, language()) }),
      },
      { field: 'bearings', value: bearings(device), counts: true },
      {
        field: 'field_of_view',
        value: view === null
          ? null
          : h('span', {}, translate('degrees', { count: formatNumber(view, language()) }),
            assumedMark(device, 'field_of_view')),
      },
      code(device, 'mount', 'mounts'),
    ],
    more: coarse ? h('p', { class: 'section-note' }, translate('precision.circle')) : null,
  };
}

/** @param {Device} device @returns {Section} */
function thing(device) {
  const units = number(device.properties.units);
  return {
    id: 'thing', title: 'device.thing',
    facts: [
      { field: 'category', value: termButton('categories', device.category) },
      { field: 'description', value: text(device.properties.description) },
      plain(device, 'manufacturer'), plain(device, 'model'),
      { field: 'units', value: units === null ? null : formatNumber(units, language()) },
      { field: 'started_on', value: formatDate(text(device.properties.started_on), language()) },
    ],
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
  const facts = [
    { field: 'source', value: name && linked(name, text(source?.url)) },
    { field: 'licence', value: licence },
    ...(attribution ? [{ field: 'attribution', value: attribution }] : []),
    ...(elsewhere ? [{ field: 'refs', value: elsewhere }] : []),
    ...(notes ? [{ field: 'tags', value: notes }] : []),
    { field: 'created_at', value: formatDay(device.createdAt, language()) },
    { field: 'updated_at', value: formatDay(device.updatedAt, language()) },
    { field: 'id', value: h('code', {}, device.id) },
  ];
  return { id: 'record', title: 'device.record', facts };
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
