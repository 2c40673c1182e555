// @ts-check
// The page of one registered operator.

import { getJSON } from '../api.js';
import { unknown } from '../devices/terms.js';
import { byId, fill, h, icon } from '../dom.js';
import { formatDay, formatNumber } from '../format.js';
import { has, language, plural, translate } from '../i18n.js';
import { readOutcome } from '../ledger/outcomes.js';
import { safeLink } from '../links.js';
import { outcomeNumber } from '../outcomes/practice.js';
import { instanceName } from '../page/brand.js';
import { askPart, operator as operatorAsked } from '../requests/ask.js';
import { onSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { label, scheme } from '../taxonomies.js';
import { followOperator } from '../watches/follow.js';
import { attempt, showLost, toOperators } from './lost.js';

/** @typedef {import('./organisation.js').Registered} Registered */

const id = decodeURIComponent(location.pathname.split('/')[2] ?? '');
const RESULTS = /** @type {const} */ (['asked', 'honoured', 'refused', 'overdue']);

/** @param {string | null} value */
function link(value) {
  const href = safeLink(value);
  if (!value || !href) return value ?? unknown();
  return h('a', { href, rel: 'noopener noreferrer nofollow', target: href.startsWith('http') ? '_blank' : null }, value,
    href.startsWith('http') && icon('external'));
}

async function show() {
  const [operator] = await Promise.all([
    getJSON(`/api/operators/${encodeURIComponent(id)}`), scheme('operator_kinds').catch(() => null),
  ]);
  draw(operator);
  onSession(() => draw(operator));
}

/** @param {Registered} operator */
function draw(operator) {
  document.title = `${operator.name} · ${instanceName()}`;
  const approved = formatDay(operator.approved_on, language());
  const check = operator.checked_by && has(`operator.checked.${operator.checked_by}`)
    ? translate(`operator.checked.${operator.checked_by}`)
    : null;
  /** @type {[string, Node | string | null][]} */
  const facts = [
    ['field.operator_kind', label('operator_kinds', operator.kind)], ['organisation.website', link(operator.website)],
    ['field.contact', link(operator.contact)],
    ['field.data_protection_contact', link(operator.data_protection_contact)],
    ['field.privacy_policy', link(operator.privacy_policy)],
    [
      'operator.devices',
      plural('operators.devices', operator.devices, { count: formatNumber(operator.devices, language()) }),
    ],
  ];
  fill(byId('content'), h('div', { class: 'ledger' },
    h('header', { class: 'ledger-head' },
      h('h1', { tabindex: '-1', class: 'said' }, operator.name),
      h('p', { class: 'operator-checked' }, icon('shield'),
        h('span', {},
          [approved && translate('operator.approved', { day: approved }), check].filter(Boolean).join(' · '))),
      h('p', {}, followOperator(operator.name))),
    h('section', { class: 'paper', 'aria-labelledby': 'about-title' },
      h('h2', { id: 'about-title' }, translate('operator.about')),
      h('dl', { class: 'facts' },
        ...facts.map(([key, value]) => h('div', {}, h('dt', {}, translate(key)), h('dd', {}, value)))),
      h('p', { class: 'section-note' }, translate('operator.says_itself'))),
    outcomes(operator), askPart(operatorAsked(operator.id, operator.name))));
}

/** @param {Registered} operator */
function outcomes(operator) {
  const became = readOutcome(operator.outcomes);
  return h('section', { class: 'paper', 'aria-labelledby': 'became-title' },
    h('h2', { id: 'became-title' }, translate('operator.outcomes')),
    !became ? h('p', {}, translate('operator.outcomes.too_few')) : [
      h('dl', { class: 'ledger-tally' },
        ...RESULTS.map((name) => h('div', {}, h('dt', {}, translate(`operator.outcomes.${name}`)),
          h('dd', {}, outcomeNumber(became[name]))))),
      became.medianDays !== null && h('p', {}, plural('operator.outcomes.median', became.medianDays)),
    ], h('p', {}, h('a', { href: '/outcomes' }, translate('outcomes.title'))));
}

startShell().then(() => {
  byId('back').setAttribute('href', '/operators');
  fill(byId('back'), icon('back'), translate('operators.title'));
  return attempt(show, (refusal) => showLost({
    title: translate('operator.missing'),
    words: refusal.status === 404 ? translate('operator.missing.why') : refusal.message,
  }, toOperators()));
});
