// @ts-check
// The inbox of an operator, the most urgent requests first.

import { getJSON } from '../api.js';
import { choiceTitle, dueWords, stateBadge } from '../choices/words.js';
import { lateName } from '../devices/late-name.js';
import { marker } from '../devices/terms.js';
import { byId, fill, h, icon } from '../dom.js';
import { formatDay, formatNumber } from '../format.js';
import { language, translate } from '../i18n.js';
import { todayHere } from '../ledger/deadline.js';
import { instanceName } from '../page/brand.js';
import { onSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { categoryIcon, scheme } from '../taxonomies.js';
import { attempt, notTheirs, operatorAccount } from './lost.js';
import { inGroups } from './requests.js';

/** @typedef {import('./requests.js').Summary} Summary */

const GROUPS = /** @type {const} */ (['late', 'soon', 'open', 'done']);
const MOST_PAGES = 20; // maximum number of pages of requests to load

/** @returns {Promise<Summary[]>} */
async function all() {
  /** @type {Summary[]} */
  const found = [];
  let cursor = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const {
      requests, next,
    } = await getJSON(`/api/operator/requests${cursor && `?cursor=${encodeURIComponent(cursor)}`}`);
    found.push(...requests);
    if (!next) break;
    cursor = next;
  }
  return found;
}

async function show() {
  if (!await operatorAccount()) return;
  const [requests, own] = await Promise.all([
    all(), getJSON('/api/operators/mine').catch(() => null), scheme('categories').catch(() => null),
    scheme('choices').catch(() => null),
  ]);
  draw(requests, own);
}

/** @param {Summary[]} requests @param {import('./organisation.js').Organisation | null} own */
function draw(requests, own) {
  const today = todayHere();
  const groups = inGroups(requests, today);
  document.title = `${translate('inbox.title')} · ${instanceName()}`;
  fill(byId('content'), h('div', { class: 'ledger' },
    h('header', { class: 'ledger-head' },
      h('h1', { tabindex: '-1' }, translate('inbox.title')),
      own && h('p', { class: 'lead said' }, own.name),
      h('p', { class: 'operator-ways' }, h('a', { href: '/operators/register' }, translate('organisation.mine')),
        own && h('a', { href: `/operators/${own.id}` }, translate('organisation.public'))),
      own?.state === 'approved' && own.contact && publicContact(own.contact)),
    requests.length === 0 ? empty() : [
      h('dl', { class: 'ledger-tally' }, ...GROUPS.map((name) => h('div', { class: `tally-${name}` },
        h('dt', {}, translate(`inbox.tally.${name}`)), h('dd', {}, formatNumber(groups[name].length, language()))))),
      ...GROUPS.filter((name) => groups[name].length)
        .map((name) => h('section',
          {
            class: `paper ledger-group group-${name === 'late' || name === 'soon' ? 'due' : name}`,
            'aria-labelledby': `group-${name}`,
          },
          h('h2', { id: `group-${name}` }, translate(`inbox.group.${name}`)),
          h('ul', { class: 'ledger-list' }, ...groups[name].map((request) => row(request, today))))),
    ]));
}

/**
 * The notice for organisations that were approved when contacts were not public yet, and got no notice of the change.
 * @param {string} contact
 */
function publicContact(contact) {
  return h('p', { class: 'aside-note', id: 'public-contact' }, icon('eye'),
    h('span', { class: 'said' }, translate('inbox.contact_public', { contact }), ' ',
      h('a', { href: '/operators/register#details-title' }, translate('inbox.contact_change'))));
}

/** @param {Summary} request @param {string} today */
function row(request, today) {
  const received = formatDay(request.received_on, language());
  return h('li', { class: 'ledger-row' },
    marker(categoryIcon(request.device.category), 'confirmed'),
    h('div', { class: 'ledger-words' },
      h('p', {}, h('a', { class: 'ledger-link said', href: `/operator/requests/${request.id}` }, choiceTitle(request))),
      h('p', { class: 'said ledger-device' }, lateName(request.device)),
      h('p', { class: 'section-note' },
        dueWords(request, today) ?? (received ? translate('inbox.received', { day: received }) : ''))),
    stateBadge(request, today));
}

function empty() {
  return h('section', { class: 'ledger-empty' },
    h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon('mail')),
    h('h2', {}, translate('inbox.empty')), h('p', {}, translate('inbox.empty.more')),
    h('div', { class: 'form-acts' },
      h('a', { class: 'button primary', href: '/' }, icon('map'), translate('inbox.empty.map'))));
}

const load = () => attempt(show, notTheirs);

startShell().then(async () => {
  await load();
  onSession(() => load());
  addEventListener('pageshow', (event) => { if (event.persisted) load(); });
});
