// @ts-check
// Requests for records of users: those that the user received and those that the user sent.

import { connection, getJSON, Outage, Refusal } from '../api.js';
import { byId, fill, h, icon } from '../dom.js';
import { plural, translate } from '../i18n.js';
import { instanceName } from '../page/brand.js';
import { toast } from '../page/notices.js';
import { onSession, whenSession } from '../session.js';
import { startShell } from '../shell/shell.js';
import { scheme } from '../taxonomies.js';
import { requestCard } from './card.js';
import { ordered, readRequest } from './requests.js';

/** @typedef {import('./requests.js').DataRequest} DataRequest */
/** @typedef {import('./requests.js').Side} Side */

const SIDES = /** @type {const} */ (['asked', 'asking']);
const MOST_PAGES = 20;

async function start() {
  await startShell();
  document.title = `${translate('requests.title')} · ${instanceName()}`;
  if (!await whenSession()) return leave();
  await show();
  reach();
  addEventListener('hashchange', reach);
  onSession((now) => { if (!now) leave(); });
  return undefined;
}

function leave() {
  location.replace(`/sign-in?then=${encodeURIComponent(`/data-requests${location.hash}`)}`);
}

/** @returns {Promise<void>} */
async function show() {
  try {
    const [asked, asking] = await Promise.all([
      whole('asked'), whole('asking'), scheme('categories').catch(() => null),
    ]);
    draw({ asked, asking });
  } catch (error) {
    if (error instanceof Outage) return connection.recovered().then(show);
    if (!(error instanceof Refusal)) throw error;
    fill(byId('content'),
      h('div', { class: 'refusal' }, h('span', { class: 'empty-mark', 'aria-hidden': 'true' }, icon('warning')),
        h('h1', { tabindex: '-1' }, translate('list.trouble')), h('p', {}, error.message)));
  }
  return undefined;
}

/** @param {Side} side @returns {Promise<DataRequest[]>} */
async function whole(side) {
  const found = [];
  /** @type {string | null} */
  let next = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    /** @type {import('../types').Page<'requests', unknown>} */
    const page = await getJSON(
      `/api/data-requests?as=${side}&limit=100${next ? `&cursor=${encodeURIComponent(next)}` : ''}`,
    );
    found.push(...page.requests.map(readRequest));
    next = page.next;
    if (!next) break;
  }
  return ordered(found);
}

/** @param {Record<Side, DataRequest[]>} requests */
function draw(requests) {
  fill(byId('content'), h('div', { class: 'ledger' },
    h('header', { class: 'ledger-head' },
      h('h1', { tabindex: '-1' }, translate('requests.title')),
      h('p', { class: 'lead' }, translate('requests.lead'))),
    ...SIDES.map((side) => part(side, requests[side])),
    h('p', { class: 'section-note' }, translate('requests.off'), ' ',
      h('a', { href: '/account#requests' }, translate('requests.off.where')))));
}

/** @param {Side} side @param {DataRequest[]} requests */
function part(side, requests) {
  const waiting = requests.filter(({ state }) => state === 'waiting').length;
  return h('section', { class: 'paper', id: `requests-${side}`, 'aria-labelledby': `requests-${side}-title` },
    h('h2', { id: `requests-${side}-title` }, translate(`requests.${side}`)),
    waiting > 0 && h('p', { class: 'section-note' }, plural('requests.waiting', waiting)),
    requests.length
      ? h('ul', { class: 'requests' },
        ...requests.map((request) => h('li', { class: 'request', id: `request-${request.id}`, tabindex: '-1' },
          ...requestCard(request, side, (said) => changed(request.id, said)))))
      : h('p', { class: 'section-note' }, translate(`requests.${side}.none`)));
}

/**
 * Reloads the page after an action.
 * @param {string} id @param {string} said
 */
async function changed(id, said) {
  await show();
  toast(said);
  document.getElementById(`request-${id}`)?.focus({ preventScroll: true });
}

/** Scrolls to the request that the address names, as links in emails do. */
function reach() {
  const found = location.hash && document.getElementById(location.hash.slice(1));
  if (!found) return;
  found.scrollIntoView();
  found.focus({ preventScroll: true });
}

start();
