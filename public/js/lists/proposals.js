// @ts-check
// Proposed lists: their types, the words for their state, and the licences to choose from.

import { h } from '../dom.js';
import { formatDay, formatNumber } from '../format.js';
import { language, plural, translate } from '../i18n.js';
import { safeLink } from '../links.js';

/**
 * @typedef {object} ProposedDevice
 * @property {number} number its place among the devices of the list
 * @property {number} row of the file
 * @property {string} name @property {string} category
 * @property {number} longitude @property {number} latitude
 * @property {Record<string, any>} properties
 * @property {{field: string | null, code: string, detail: string}[]} notes
 * @property {boolean} far from the other devices
 * @property {{id: string, name: string, distance: number}[]} duplicates near it on the map
 * @property {boolean | null} accepted null: not decided
 */
/**
 * @typedef {object} Proposal
 * @property {string} id
 * @property {'open' | 'accepted' | 'refused' | 'undone'} state
 * @property {string} file @property {number} bytes @property {string} format
 * @property {{name: string, licence: string, attribution: string, url: string | null}} source
 * @property {string | null} comment
 * @property {string | null} by null: the account was deleted
 * @property {boolean} own
 * @property {number} rows @property {number} devices @property {number} flagged
 * @property {number} skipped @property {number} refused
 * @property {string} created_at @property {string} expires_at
 * @property {{at: string, by: string | null, reason: string | null, accepted: number, import: number | null} | null
 *   } decision
 * @property {ProposedDevice[]} [proposed]
 */

export const PROPOSALS = '/api/proposals';
/** Devices of a proposal, and open proposals of an account (`Proposal` on the server). */
export const MOST = 500;
export const MOST_OPEN = 3;
/** Bytes of the longest form that the server accepts (`ProposalForm.limit`). */
export const LONGEST_FORM = 4_521_984;

/**
 * The licences under which a list can be proposed (`LicenceAddress` on the server).
 * @type {readonly [string, string][]}
 */
export const LICENCES = [
  ['CC0-1.0', 'Creative Commons CC0 1.0'], ['CC-BY-4.0', 'Creative Commons BY 4.0'],
  ['CC-BY-3.0', 'Creative Commons BY 3.0'], ['CC-BY-SA-4.0', 'Creative Commons BY-SA 4.0'],
  ['CC-BY-SA-3.0', 'Creative Commons BY-SA 3.0'], ['ODbL-1.0', 'Open Database License 1.0'],
  ['ODC-By-1.0', 'Open Data Commons Attribution 1.0'], ['PDDL-1.0', 'Public Domain Dedication (PDDL) 1.0'],
  ['OGL-UK-3.0', 'Open Government Licence (UK) 3.0'], ['etalab-2.0', 'Licence Ouverte 2.0 (Etalab)'],
  ['dl-de/by-2-0', 'Datenlizenz Deutschland – Namensnennung 2.0'],
  ['dl-de/zero-2-0', 'Datenlizenz Deutschland – Zero 2.0'],
];

/**
 * The state of a proposal in a few words.
 * @param {Proposal} proposal
 */
export function stateOf({ state, devices, decision }) {
  if (state === 'accepted' && decision && decision.accepted < devices) {
    return translate('lists.state.part', { accepted: number(decision.accepted), devices: number(devices) });
  }
  return translate(`lists.state.${state}`);
}

/** @param {number} count */
export function number(count) { return formatNumber(count, language()); }

/** @param {string} time */
export function day(time) { return formatDay(time.slice(0, 10), language()) ?? ''; }

/**
 * Where a list comes from, and what its contributor says.
 * @param {Proposal} proposal
 */
export function factsOf({ file, source, comment, by, created_at: at, expires_at: end, state, decision }) {
  const row = (/** @type {string} */ key, /** @type {import('../dom.js').Child} */ value) => (
    value ? h('div', {}, h('dt', {}, translate(`lists.facts.${key}`)), h('dd', {}, value)) : null);
  return h('dl', { class: 'facts' },
    row('file', h('bdi', {}, file)), row('source', h('bdi', {}, source.name)),
    row('licence', h('bdi', {}, source.licence)), row('attribution', h('bdi', {}, source.attribution)),
    row('url', source.url && h('a', { href: safeLink(source.url), rel: 'noopener noreferrer nofollow' }, source.url)),
    row('by', by ? h('a', { href: `/people/${encodeURIComponent(by)}` }, h('bdi', {}, by))
      : translate('order.by.deleted')),
    row('sent', day(at)), row('comment', comment && h('bdi', { class: 'said' }, comment)),
    row('decided', decision && [day(decision.at), decision.by ?? ''].filter(Boolean).join(' · ')),
    row('reason', decision?.reason && h('bdi', { class: 'said' }, decision.reason)),
    row('end', state === 'open' || decision ? translate('lists.facts.end.words', { day: day(end) }) : null));
}

/** @param {Proposal} proposal */
export function countsOf({ rows, devices, flagged, skipped, refused }) {
  return h('p', { class: 'section-note' }, [
    plural('lists.devices', devices), translate('lists.counts', {
      rows: number(rows), flagged: number(flagged), skipped: number(skipped), refused: number(refused),
    }),
  ].join(' · '));
}
