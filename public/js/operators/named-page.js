// @ts-check
// The page of an operator that devices name.

import { getJSON } from '../api.js';
import { countryName } from '../devices/facts.js';
import { byId, fill, h, icon } from '../dom.js';
import { formatNumber, formatShare } from '../format.js';
import { termButton } from '../glossary/definition.js';
import { language, plural, translate } from '../i18n.js';
import { readOutcome } from '../ledger/outcomes.js';
import { figures } from '../outcomes/practice.js';
import { instanceName } from '../page/brand.js';
import { onSession, session } from '../session.js';
import { startShell } from '../shell/shell.js';
import { label, scheme } from '../taxonomies.js';
import { togetherSection } from '../together/section.js';
import { followOperator } from '../watches/follow.js';
import { attempt, showLost, toOperators } from './lost.js';
import { devicesQuery, namedPath, shareOf } from './named.js';
import { namedMap } from './named-map.js';
import { rulingsPart } from './rulings.js';

/** @typedef {import('./named.js').NamedDetails} NamedDetails */
/** @typedef {import('./named.js').Count} Count */

const asked = decodeURIComponent(location.pathname.split('/')[3] ?? '');
const SHOWN_TOWNS = 10;

/** @param {number} count */
const number = (count) => formatNumber(count, language());

async function show() {
  const [operator] = await Promise.all([
    getJSON(`/api/operators/named/${encodeURIComponent(asked)}?lang=${language()}`),
    ...['operator_kinds', 'categories', 'data', 'choices', 'glossary'].map((name) => scheme(name).catch(() => null)),
  ]);
  history.replaceState(history.state, '', namedPath(operator.key));
  draw(operator);
}

/** @param {NamedDetails} operator */
function draw(operator) {
  document.title = `${operator.name} · ${instanceName()}`;
  const { devices, towns } = operator;
  const moderation = h('div', {});
  fill(byId('content'), h('div', { class: 'ledger named-operator' },
    h('header', { class: 'ledger-head' },
      h('h1', { tabindex: '-1', class: 'said' }, h('bdi', {}, operator.name)),
      h('p', { class: 'lead' }, [
        plural('operators.devices', devices, { count: number(devices) }),
        towns > 0 && plural('named.towns', towns, { count: number(towns) }),
        operator.kind !== 'unknown' && label('operator_kinds', operator.kind),
      ].filter(Boolean).join(' · ')),
      source(operator),
      h('div', { class: 'form-acts' },
        h('a', { class: 'button primary', href: `/?${devicesQuery(operator)}` }, icon('map'),
          translate('named.devices')),
        followOperator(operator.name))),
    namedMap(operator),
    counts('kinds', translate('named.kinds'), operator.categories, 'categories', devices),
    collected(operator), townsPart(operator), choicesPart(operator), record(operator),
    togetherSection(operator.key, `/?${devicesQuery(operator)}`), spellings(operator),
    moderation));
  onSession(() => fill(moderation, moderates() && rulingsPart(operator, show)));
  fill(moderation, moderates() && rulingsPart(operator, show));
}

function moderates() {
  return ['moderator', 'admin'].includes(session()?.account?.role ?? '');
}

/**
 * Where the content of the page comes from, and the way to speak for the organisation.
 * @param {NamedDetails} operator
 */
function source({ name, registered }) {
  if (registered) {
    return h('p', { class: 'operator-checked' }, icon('shield'),
      h('span', {}, translate('named.is_registered'), ' ',
        h('a', { href: `/operators/${registered}` }, translate('named.to_registered'))));
  }
  return h('p', { class: 'operator-checked is-open' }, icon('info'),
    h('span', {}, translate('named.by_map'), ' ',
      h('a', { href: `/operators/register?${new URLSearchParams({ name })}` }, translate('named.claim'))));
}

/**
 * A table of counts with shares, the largest first.
 * @param {string} id @param {string} title @param {Count[]} rows @param {string} schemeName @param {number} whole
 * @param {...import('../dom.js').Child} notes
 */
function counts(id, title, rows, schemeName, whole, ...notes) {
  if (!rows.length && !notes.some(Boolean)) return null;
  return h('section', { class: 'paper', 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, title),
    rows.length > 0 && h('table', { class: 'operator-counts' },
      h('caption', { class: 'visually-hidden' }, title),
      h('thead', { class: 'visually-hidden' }, h('tr', {}, h('th', { scope: 'col' }, title),
        h('th', { scope: 'col' }, translate('statistics.devices')),
        h('th', { scope: 'col' }, translate('statistics.share')))),
      h('tbody', {}, ...rows.map(({ code, devices }) => {
        const bar = h('span', { class: 'operator-bar', 'aria-hidden': 'true' });
        bar.style.width = `${(shareOf(devices, whole) ?? 0) * 100}%`;
        return h('tr', {}, h('th', { scope: 'row' }, termButton(schemeName, code), bar),
          h('td', {}, number(devices)), h('td', {}, formatShare(shareOf(devices, whole), language())));
      }))),
    ...notes);
}

/** @param {NamedDetails} operator */
function collected({ data_collected: data, data_unknown: unknown, retention_known: known, devices }) {
  return counts('data', translate('named.data'), data, 'data', devices,
    unknown > 0 && h('p', { class: 'section-note' },
      plural('named.data_unknown', unknown, { count: number(unknown) })),
    h('p', { class: 'section-note' }, known > 0
      ? plural('named.retention_known', known, { count: number(known) }) : translate('named.retention_unknown')));
}

/** @param {NamedDetails} operator */
function choicesPart({ choices, devices }) {
  return counts('offers', translate('named.choices'), choices, 'choices', devices);
}

/** @param {NamedDetails} operator */
function townsPart(operator) {
  const { most_towns: most, towns, without_town: without } = operator;
  if (!most.length && !without) return null;
  const line = (/** @type {import('./named.js').Town} */ town) => h('li', {},
    h('a', { href: `/places/${encodeURIComponent(town.id)}` }, h('bdi', {}, town.name)),
    h('a', { href: `/?${devicesQuery(operator)}&place=${encodeURIComponent(town.id)}` },
      plural('operators.devices', town.devices, { count: number(town.devices) })),
    h('span', { class: 'section-note' },
      [town.region, town.country && countryName(town.country)].filter(Boolean).join(', ')));
  const rest = most.slice(SHOWN_TOWNS);
  return h('section', { class: 'paper', 'aria-labelledby': 'towns-title' },
    h('h2', { id: 'towns-title' }, translate('named.where')),
    h('ol', { class: 'operator-towns' }, ...most.slice(0, SHOWN_TOWNS).map(line)),
    rest.length > 0 && h('details', {}, h('summary', {}, translate('named.more_towns')),
      h('ol', { class: 'operator-towns', start: String(SHOWN_TOWNS + 1) }, ...rest.map(line)),
      towns > most.length && h('p', { class: 'section-note' },
        plural('named.other_towns', towns - most.length, { count: number(towns - most.length) }))),
    without > 0 && h('p', { class: 'section-note' },
      plural('named.without_town', without, { count: number(without) })));
}

/**
 * The outcomes of requests, by the spelling of the name under which they were published.
 * @param {NamedDetails} operator
 */
function record({ outcomes }) {
  const read = outcomes.map((one) => ({ name: /** @type {any} */ (one)?.operator?.name, outcome: readOutcome(one) }));
  const known = read.filter(({ outcome }) => outcome);
  return h('section', { class: 'paper', 'aria-labelledby': 'record-title' },
    h('h2', { id: 'record-title' }, translate('named.record')),
    !known.length && h('p', {}, translate('operator.outcomes.too_few')),
    ...known.map(({ name, outcome }) => outcome && [
      known.length > 1 && h('h3', { class: 'said' }, h('bdi', {}, name)), figures(outcome),
      outcome.medianDays !== null && h('p', {}, plural('operator.outcomes.median', outcome.medianDays)),
    ]),
    h('p', {}, h('a', { href: '/outcomes' }, translate('outcomes.title'))));
}

/** @param {NamedDetails} operator */
function spellings({ spellings: all }) {
  if (all.length < 2) return null;
  return h('section', { class: 'paper', 'aria-labelledby': 'spellings-title' },
    h('h2', { id: 'spellings-title' }, translate('named.spellings')),
    h('p', { class: 'section-note' }, translate('named.spellings.why')),
    h('ul', { class: 'points' }, ...all.map(({ name, devices }) => h('li', {},
      h('bdi', { class: 'said' }, name), ' – ', plural('operators.devices', devices, { count: number(devices) })))));
}

startShell().then(() => {
  byId('back').setAttribute('href', '/operators');
  fill(byId('back'), icon('back'), translate('operators.title'));
  return attempt(show, (refusal) => showLost({
    title: translate('operator.missing'),
    words: refusal.status === 404 ? translate('named.missing') : refusal.message,
  }, toOperators()));
});
